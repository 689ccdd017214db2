import * as vscode from 'vscode';
import type { ServiceAccess } from '../../support/serviceSeed.ts';
import { quickInput, run, told } from './window.ts';

/** Adds a connection to a service of the standard flavor by answering its questions, and makes it the window's own. */
export async function addConnection(name: string, { url, apiKey }: ServiceAccess): Promise<void> {
  const added = run('addConnection');
  await quickInput.choose('Deployment service');
  await quickInput.answer('Add Connection (2/4)', url);
  await quickInput.answer('Add Connection (3/4)', name);
  await quickInput.answer('Add Connection (4/4)', apiKey);
  await added;
}

/** Makes a connection the window's own. Its rows are there when the service has answered. */
export async function switchConnection(name: string): Promise<void> {
  const switched = run('switchConnection');
  await quickInput.choose(name);
  await switched;
}

/** Removes a connection with its key, as a person confirms it. */
export async function removeConnection(name: string): Promise<void> {
  const removed = run('removeConnection', name);
  (await told.message(`Remove the connection "${name}"?`)).press('Remove');
  await removed;
}

/** Stores or replaces the key of the connection in use, as from the view that misses it. */
export async function setKey(apiKey: string): Promise<void> {
  const set = run('setApiKey', { inUse: true });
  await quickInput.answer('Set API Key', apiKey);
  await set;
}

/** The connections in the person's settings. */
export function storedConnections(): readonly Record<string, unknown>[] {
  const setting = vscode.workspace.getConfiguration('deploymentManager').inspect('connections');
  return (setting?.globalValue ?? []) as Record<string, unknown>[];
}

/** Writes connections into the person's settings, as by hand; without any, the setting is reset. */
export async function storeConnections(connections?: readonly unknown[]): Promise<void> {
  const ours = vscode.workspace.getConfiguration('deploymentManager');
  await ours.update('connections', connections, vscode.ConfigurationTarget.Global);
}

/** Writes a connection without a key into the settings; the window keeps the one that it has. */
export async function addKeylessConnection(name: string, baseUrl: string): Promise<void> {
  await storeConnections([...storedConnections(), { name, baseUrl }]);
}
