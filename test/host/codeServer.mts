import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { accessParameters, quietSettings, serverEnvironment, writeSettings } from './codeServerFiles.mts';
import type { Settings } from './codeServerFiles.mts';
import { installCodeServer } from './codeServerInstall.mts';
import { openFrontDoor } from './frontDoor.mts';
import type { Janitor } from './janitor.mts';
import { releases } from './releases.mts';
import type { ReleaseName } from './releases.mts';
import { workbenchAddress } from './workbenchAddress.mts';
import type { Payload } from './workbenchAddress.mts';

export interface CodeServerOptions {
  readonly janitor: Janitor;
  readonly release?: ReleaseName;
  /** Who drives the workbench: a person gets a connection token, a test the smoke-test driver. */
  readonly driver: 'person' | 'test';
  /** Whether every folder is trusted without asking (it is unless told otherwise), or opens in Restricted Mode. */
  readonly trust?: boolean;
  /** The person's settings. */
  readonly settings?: Settings;
  /** The settings of the machine, where VS Code looks for those with the scope `machine`. */
  readonly machineSettings?: Settings;
  /** Packaged extensions to install before the start. */
  readonly vsix?: readonly string[];
  /** Added to the environment that the extension host sees. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface CodeServer {
  /** The address of the workbench with a folder or a `.code-workspace` file open; for the payload see `developmentPayload`. */
  addressOf(folder: string, payload?: readonly Payload[]): string;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it with its extension host, and keeps its data. */
  stop(): Promise<void>;
}

/**
 * Starts VS Code as a server on a port that the system chooses, with all its data in the janitor's folder, and waits
 * until it listens.
 * @throws Error with the end of its output when it does not.
 */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { janitor } = options;
  const { node, main } = await installCodeServer(releases[options.release ?? 'newest']);
  const data = path.join(janitor.folder, 'vscode');
  await writeSettings(path.join(data, 'data/User'), { ...quietSettings, ...options.settings });
  await writeSettings(path.join(data, 'data/Machine'), options.machineSettings ?? {});
  const connectionToken = options.driver === 'person' ? randomBytes(24).toString('hex') : undefined;
  const access = await accessParameters(janitor.folder, connectionToken);
  const env = await serverEnvironment(janitor.folder, options.env);
  const folders = ['--server-data-dir', data, '--extensions-dir', path.join(janitor.folder, 'extensions')];
  const start = (...parameters: string[]) =>
    janitor.spawn(node, [main, '--accept-server-license-terms', ...folders, ...parameters], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  for (const vsix of options.vsix ?? []) await succeeds(start('--install-extension', vsix));
  const parameters = ['--host', '127.0.0.1', '--port', '0', '--telemetry-level', 'off', ...access];
  if (options.trust !== false) parameters.push('--disable-workspace-trust');
  if (options.driver === 'test') parameters.push('--enable-smoke-test-driver');
  const server = start(...parameters);
  const frontDoor = await openFrontDoor(await portOf(server, path.join(janitor.folder, 'vscode.log')));
  server.on('exit', () => frontDoor.close());
  const { port } = frontDoor;
  return {
    addressOf: (folder, payload) => workbenchAddress({ port, connectionToken, folder, ...(payload && { payload }) }),
    ended: new Promise((resolve) => server.on('exit', () => resolve())),
    stop: () => janitor.stop(server),
  };
}

async function succeeds(child: ChildProcess): Promise<void> {
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(String(data)));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`The extension could not be installed:\n${output.join('')}`);
}

/** Waits for the line that names the port. The whole output goes into the log. */
function portOf(server: ChildProcess, logFile: string): Promise<string> {
  const log = createWriteStream(logFile);
  let start = '';
  return new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) stream?.pipe(log, { end: false });
    server.stdout?.on('data', function look(data) {
      start += String(data);
      const port = /agent listening on (\d+)\n/.exec(start)?.[1];
      if (port === undefined) return;
      server.stdout?.off('data', look);
      resolve(port);
    });
    server.on('error', reject);
    server.on('close', () => reject(new Error(`VS Code ended before it listened:\n${start.slice(-2_000)}`)));
  });
}
