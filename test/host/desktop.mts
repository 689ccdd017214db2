import path from 'node:path';
import { quietSettings, writeSettings } from './codeServerFiles.mts';
import type { Settings } from './codeServerFiles.mts';
import type { Janitor } from './janitor.mts';

export interface DesktopWindow {
  /** Resolves when the person has closed the window. */
  readonly closed: Promise<void>;
}

export interface DesktopOptions {
  readonly janitor: Janitor;
  readonly folder: string;
  readonly vsix: string;
  readonly settings: Settings;
}

/**
 * Opens a folder in the VS Code that `code` on the PATH starts, with settings and extensions of its own: the person's
 * are neither used nor changed.
 * @throws Error when there is no `code`, or it cannot install the extension.
 */
export async function openDesktop(options: DesktopOptions): Promise<DesktopWindow> {
  const { janitor } = options;
  const userData = path.join(janitor.folder, 'user-data');
  await writeSettings(path.join(userData, 'User'), { ...quietSettings, ...options.settings });
  const folders = ['--user-data-dir', userData, '--extensions-dir', path.join(janitor.folder, 'extensions')];
  await code(janitor, [...folders, '--install-extension', options.vsix]);
  const parameters = ['--new-window', '--wait', '--disable-workspace-trust', '--skip-welcome', options.folder];
  // `code` only hands over to the program, which leaves the id of its process in this file.
  janitor.watchFile(path.join(userData, 'code.lock'));
  return { closed: code(janitor, [...folders, ...parameters]) };
}

async function code(janitor: Janitor, parameters: readonly string[]): Promise<void> {
  const child = janitor.spawn('code', parameters, {
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const errors: string[] = [];
  child.stderr?.on('data', (data) => errors.push(String(data)));
  const exitCode = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve)).catch(
    (error: unknown) => {
      throw new Error(
        'There is no "code" on the PATH. In VS Code, run "Shell Command: Install \'code\' command in PATH".',
        {
          cause: error,
        },
      );
    },
  );
  if (exitCode !== 0) throw new Error(`"code" failed:\n${errors.join('')}`);
}
