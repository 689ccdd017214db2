import { runProgram, type RunOptions } from './run.ts';

/** How long ssh may take to read the user's configuration, in milliseconds: a `Match exec` in it runs a command. */
const timeLimit = 5000;

const maxBytes = 100_000;
const mostAliases = 100;

/** A host's name or an alias. Nothing else is passed to ssh, and no text that it could take for an option. */
const hostName = /^[a-z0-9][\w.-]{0,252}$/i;

/**
 * The hosts behind the aliases of the user's ssh configuration.
 * Only asks ssh what it would do, so nothing connects or prompts. Remembers the answers.
 */
export class SshHosts {
  readonly #options: RunOptions;
  readonly #known = new Map<string, Promise<string | undefined>>();

  /**
   * @param workingFolder a folder without programs, because some systems look for them in the working folder first
   * @param signal ends ssh
   */
  constructor(workingFolder: string, signal?: AbortSignal) {
    this.#options = { cwd: workingFolder, env: process.env, timeLimit, maxBytes, signal };
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
    const { end, stdout } = await runProgram('ssh', ['-G', '--', alias], this.#options);
    const [, name] = /^hostname (\S+)$/m.exec(stdout) ?? [];
    if (end === 0 && name !== undefined && hostName.test(name)) return name;
    // The next time may be better, such as after a change of the configuration.
    this.#known.delete(alias);
    return undefined;
  }
}
