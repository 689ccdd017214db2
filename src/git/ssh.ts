import { spawn } from 'node:child_process';
import { absoluteEntries } from './git.ts';

/** How long ssh may take to read the user's configuration, in milliseconds: a `Match exec` in it runs a command. */
const timeLimit = 5000;

const maxCharacters = 100_000;
const mostAliases = 100;

/** A host's name or an alias. Nothing else is passed to ssh, and no text that it could take for an option. */
const hostName = /^[a-z0-9][\w.-]{0,252}$/i;

/**
 * The hosts behind the aliases of the user's ssh configuration.
 * Only asks ssh what it would do, so nothing connects or prompts. Asks once for each alias.
 */
export class SshHosts {
  readonly #workingFolder: string;
  readonly #known = new Map<string, Promise<string | undefined>>();

  /** @param workingFolder a folder without programs, because some systems look for them in the working folder first */
  constructor(workingFolder: string) {
    this.#workingFolder = workingFolder;
  }

  /** The name of the host that ssh connects to for an alias, or for any other name. Undefined if ssh doesn't tell. */
  async nameOf(alias: string): Promise<string | undefined> {
    const known = this.#known.get(alias);
    if (known !== undefined || !hostName.test(alias) || this.#known.size === mostAliases) return known;
    const asked = this.#ask(alias);
    this.#known.set(alias, asked);
    return asked;
  }

  async #ask(alias: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const hasSessions = process.platform !== 'win32';
      const ssh = spawn('ssh', ['-G', '--', alias], {
        cwd: this.#workingFolder,
        env: environment(),
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        // A session of its own has no terminal to ask on, and can be ended with all of its programs.
        detached: hasSessions,
      });
      let output = '';
      const end = (name: string | undefined): void => {
        clearTimeout(timer);
        resolve(name);
      };
      const stop = (): void => {
        end(undefined);
        ssh.stdout.destroy();
        if (ssh.pid === undefined || ssh.exitCode !== null || ssh.signalCode !== null) return;
        if (hasSessions) process.kill(-ssh.pid, 'SIGKILL');
        else ssh.kill();
      };
      const timer = setTimeout(stop, timeLimit);
      ssh.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.length > maxCharacters) stop();
      });
      ssh.once('error', () => end(undefined));
      ssh.once('close', (code) => {
        const [, name] = /^hostname (\S+)$/m.exec(output) ?? [];
        end(code === 0 && name !== undefined && hostName.test(name) ? name : undefined);
      });
    });
  }
}

function environment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).map(([name, value = '']) => [
    name,
    name.toUpperCase() === 'PATH' ? absoluteEntries(value) : value,
  ]);
  return Object.fromEntries(entries);
}
