import { existsSync } from 'node:fs';
import { runProgram, type ProgramRun } from './run.ts';

/** A git command failed; the message is a sentence for the user. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** The exit code if git finished, which tells "not found" from other failures. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode?: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Git wasn't found, so the repository isn't at fault. */
export class GitMissingError extends GitError {}

/** Git lacks options that are used here, so it counts as missing. */
export class GitTooOldError extends GitMissingError {
  readonly version: string;

  constructor(version: string) {
    super(`Git ${version} is too old. Install Git ${oldestGit} or newer.`);
    this.version = version;
  }
}

/** The oldest git with every option that is used here. The last one was `rev-parse --end-of-options`. */
export const oldestGit = '2.30';

/** The git program and its working folder. */
export interface GitProgram {
  /** The absolute path of git; without it, git is found on the PATH. */
  readonly path?: string | undefined;
  /** A folder of the service, because some systems look for programs in the working folder first. */
  readonly workingFolder: string;
}

export interface GitOptions {
  /** The time after which git is killed, in milliseconds. Default: 10,000. */
  readonly timeLimit?: number;
  /** The most that git may print, in bytes. Default: 1,000,000. */
  readonly maxBytes?: number;
  /** Further variables, such as the author of a commit. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Reads the user's and the system's configuration too. Only for commands that run nothing from it. */
  readonly withUserSettings?: boolean;
}

/** Git reads this name as an empty file on every system, including Windows. */
const emptyFile = '/dev/null';

/** Git reads this file in place of the user's configuration. Its path is the same from `src/git/` and `dist/chunks/`. */
const settingsFile = `${import.meta.dirname}/../../media/git.config`;

/**
 * Git in one folder, isolated from the user's setup.
 * Disables hooks, prompts, credential helpers, file-system monitors, and configuration outside the repository. Disables
 * transports too, so a partial clone can't fetch. Never mistakes a program in the folder for git.
 */
export class Git {
  /** The paths of programs that were new enough. No update makes them older. */
  static readonly #newEnough = new Set<string | undefined>();
  readonly folder: string;
  readonly #program: GitProgram;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends all of its commands */
  constructor(program: GitProgram, folder: string, signal?: AbortSignal) {
    this.#program = program;
    this.folder = folder;
    this.#signal = signal;
  }

  /** The same git in another folder. */
  in(folder: string): Git {
    return new Git(this.#program, folder, this.#signal);
  }

  /** The same git, which a further signal ends as well. */
  until(signal: AbortSignal): Git {
    const signals = this.#signal === undefined ? [signal] : [this.#signal, signal];
    return new Git(this.#program, this.folder, AbortSignal.any(signals));
  }

  /**
   * Checks that git is new enough; one that isn't may be updated, so that is checked again.
   * @throws {GitMissingError} git isn't installed or is too old
   */
  async checkVersion(): Promise<void> {
    if (Git.#newEnough.has(this.#program.path)) return;
    const [, version] = /^git version (\d+\.\d+(?:\.\d+)*)/.exec(await this.run(['version'])) ?? [];
    const isTooOld = version !== undefined && version.localeCompare(oldestGit, 'en', { numeric: true }) < 0;
    if (isTooOld) throw new GitTooOldError(version);
    Git.#newEnough.add(this.#program.path);
  }

  /**
   * Runs one command and returns its output.
   * @throws {GitMissingError} git isn't installed
   * @throws {GitError} git failed, took too long, or printed too much
   */
  async run(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const { timeLimit = 10_000, maxBytes = 1_000_000 } = options;
    const ran = await runProgram(this.#program.path ?? 'git', ['-C', this.folder, ...safeArguments, ...args], {
      cwd: this.#program.workingFolder,
      env: { ...safeEnvironment(options.withUserSettings), ...options.variables },
      timeLimit,
      maxBytes,
      signal: this.#signal,
    });
    if (ran.end === 0) return ran.stdout;
    throw explain(ran, this.folder, timeLimit);
  }

  /**
   * Runs one command like `run`. Undefined for exit code 1, by which git says that it found nothing.
   * @throws {GitError} like `run`
   */
  async find(args: readonly string[], options?: GitOptions): Promise<string | undefined> {
    try {
      return await this.run(args, options);
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return undefined;
      throw error;
    }
  }
}

const safeSettings = [
  // Safe in trusted or registered folders, because nothing that git could run from them is enabled.
  'safe.directory=*',
  `core.hooksPath=${emptyFile}`,
  'core.fsmonitor=false',
  'credential.helper=',
  'protocol.allow=never',
  'core.sshCommand=false',
  // Git for Windows reads no longer paths otherwise, even if the user's own configuration allows them.
  'core.longpaths=true',
];

const safeArguments = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...safeSettings.flatMap((setting) => ['-c', setting]),
];

/** Built from scratch, because variables such as GIT_DIR would point git to another repository. */
function safeEnvironment(withUserSettings = false): NodeJS.ProcessEnv {
  const kept = [
    'PATH',
    'Path',
    'PATHEXT',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
    'HOME',
    'HOMEDRIVE',
    'HOMEPATH',
    'USERPROFILE',
  ];
  const settings = ['XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'];
  const names = [...kept, ...(withUserSettings ? settings : [])].filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
    LC_ALL: 'C',
    ...(withUserSettings ? {} : { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: settingsFile }),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
  };
}

function explain({ end, stderr }: ProgramRun, folder: string, timeLimit: number): GitError {
  if (end === 'notFound') return new GitMissingError("Git wasn't found. Install it, or add it to the PATH.");
  if (end === 'aborted') return new GitError('Git was stopped.');
  if (!existsSync(folder)) return new GitError(`The folder ${folder} no longer exists.`);
  if (end === 'tooLarge') return new GitError("Git's output is too large.");
  if (end === 'tooSlow') return new GitError(`Git took longer than ${timeLimit / 1000} seconds.`);
  const lines = stderr.split('\n');
  // Warnings may come first.
  const reason = (lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .replace(/^fatal: /, '')
    .slice(0, 300);
  return new GitError(`Git failed: ${reason}`, typeof end === 'number' ? end : undefined);
}
