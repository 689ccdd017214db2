import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { startFaultRelay } from '../../support/faultRelay.ts';
import type { FaultRelay } from '../../support/faultRelay.ts';
import { startLocalService } from '../../support/localService.ts';
import type { LocalServiceOptions, RunningLocalService } from '../../support/localService.ts';
import type { ServiceAccess } from '../../support/serviceSeed.ts';
import { dataFolderVariable } from '../../support/vscodeTestRun.ts';
import { storeConnections, storedConnections } from './connections.ts';
import { closeFolders, closeRepositories } from './workspace.ts';

// What a suite begins with these functions ends after it.

export type Service = RunningLocalService;
/** A relay in front of a service, at which the window finds the service with its key. */
export type Relay = FaultRelay & ServiceAccess;

/** Where the local service that the window starts says how it is reached. */
export const serviceFile = path.join(process.env[dataFolderVariable] ?? '', 'service.json');

const endings: (() => unknown)[] = [];
const relays = new Set<FaultRelay>();

/** Has something end after the suite, before what was begun earlier. */
export function atEnd(end: () => unknown): void {
  endings.push(end);
}

export async function startService(options?: LocalServiceOptions): Promise<Service> {
  const service = await startLocalService(options);
  atEnd(() => service.stop());
  return service;
}

/** Starts a relay, which passes everything on again and has counted no requests when a test begins. */
export async function startRelay({ url, apiKey }: ServiceAccess): Promise<Relay> {
  const relay = Object.assign(await startFaultRelay(url), { apiKey });
  relays.add(relay);
  atEnd(async () => {
    relays.delete(relay);
    await relay.stop();
  });
  return relay;
}

/** Has the follows and the documents ask the service several times a second. */
export async function pollQuickly(): Promise<void> {
  await useSettings({ 'follow.minIntervalSeconds': 0.1, 'follow.maxIntervalSeconds': 2 });
}

/** Sets settings for the whole machine, by their names in a section. */
export async function useSettings(
  values: Readonly<Record<string, unknown>>,
  section = 'deploymentManager',
): Promise<void> {
  const set = async (name: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  for (const [name, value] of Object.entries(values)) {
    const before = vscode.workspace.getConfiguration(section).inspect(name)?.globalValue;
    await set(name, value);
    atEnd(() => set(name, before));
  }
}

/** How the local service that the window has started is reached, and its process. */
export async function startedService(): Promise<ServiceAccess & { readonly pid: number }> {
  return JSON.parse(await readFile(serviceFile, 'utf8'));
}

/** Call it before each test. */
export function mendRelays(): void {
  for (const relay of relays) {
    relay.mend();
    relay.requests.length = 0;
    relay.sent.length = 0;
  }
}

/** Call it after each suite: closes all editors, added folders and their repositories, removes all connections, and ends the rest. */
export async function endSuite(): Promise<void> {
  await closeFolders();
  await closeRepositories();
  if (storedConnections().length > 0) await storeConnections();
  for (const end of endings.splice(0).toReversed()) await end();
}
