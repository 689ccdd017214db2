import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Settings by their full names. */
export type Settings = Readonly<Record<string, unknown>>;

/** What makes a workbench quiet, and keeps it from what needs the network. */
export const quietSettings: Settings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};

export async function writeSettings(folder: string, settings: Settings): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'settings.json'), `${JSON.stringify(settings, undefined, 2)}\n`);
}

/**
 * Says how the server recognises those who may use it. The token goes through a file, because everybody on the machine
 * can read the command lines of all processes.
 */
export async function accessParameters(folder: string, connectionToken: string | undefined): Promise<string[]> {
  if (connectionToken === undefined) return ['--without-connection-token'];
  const file = path.join(folder, 'connection-token');
  await writeFile(file, connectionToken, { mode: 0o600 });
  return ['--connection-token-file', file];
}

/**
 * The environment of the server and of its extension host. On Linux their sockets and scratch files go into `folder`
 * too; on macOS the path of such a socket would be longer than the system allows.
 */
export async function serverEnvironment(
  folder: string,
  additions: Readonly<Record<string, string>> = {},
): Promise<NodeJS.ProcessEnv> {
  const env = { ...process.env, ...additions };
  // Set where this runs in the terminal of an editor; the server would take itself for a part of that editor.
  for (const name of Object.keys(env)) if (/^(?:VSCODE_|ELECTRON_)/.test(name)) delete env[name];
  // The terminal's environment is the right one already: a login shell that is asked for it can outlive a Ctrl+C.
  env['VSCODE_CLI'] = '1';
  if (process.platform !== 'linux') return env;
  const temporary = path.join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  return { ...env, TMPDIR: temporary };
}
