import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface SampleRepository {
  /** The working copy, as a person would have it open. */
  readonly folder: string;
  /** The bare repository behind `origin`, reached through `insteadOf`. */
  readonly bare: string;
  /** What `git remote get-url` would show without `insteadOf`. */
  readonly url: string;
}

export const sampleUrl = 'https://code.example/acme/sample-agent';

/**
 * Makes `directory/sample-agent`, a small graph application on branch `main`, pushed to the bare repository
 * `directory/sample-agent.git` under the address of a code host that does not exist.
 */
export async function createSampleRepository(directory: string): Promise<SampleRepository> {
  return createRepository(directory, { name: 'sample-agent', url: sampleUrl, files: sampleFiles });
}

export interface RepositoryOptions {
  readonly name: string;
  /** The address of `origin`; an address of its own is answered by the bare repository through `insteadOf`. */
  readonly url?: string;
  readonly files: Record<string, string>;
}

/** Makes a working copy with one commit on `main` and a bare repository beside it that has been pushed to. */
export async function createRepository(directory: string, options: RepositoryOptions): Promise<SampleRepository> {
  const folder = path.join(directory, options.name);
  const bare = path.join(directory, `${options.name}.git`);
  const url = options.url ?? bare;
  await mkdir(folder, { recursive: true });
  await git(directory, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  await initialise(folder);
  if (url !== bare) await git(folder, 'config', `url.${bare}.insteadOf`, url);
  await git(folder, 'remote', 'add', 'origin', url);
  await commitFiles(folder, options.files, 'Add the application');
  await git(folder, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  await git(folder, 'remote', 'set-head', 'origin', 'main');
  return { folder, bare, url };
}

/** Makes a working copy with one commit on `main` and no remote at all. */
export async function createLocalRepository(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await initialise(folder);
  await commitFiles(folder, files, 'Add the application');
}

/** Writes the files (paths relative to the working copy), commits everything, and gives the commit's id. */
export async function commitFiles(folder: string, files: Record<string, string>, message: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', message);
  return git(folder, 'rev-parse', 'HEAD');
}

/** Runs git without the person's or the machine's configuration and gives its output without surrounding blanks. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, {
    cwd: folder,
    timeout: 30_000,
    env: isolatedEnvironment(),
  });
  return stdout.trim();
}

/** The variables of a git that doesn't read the person's or the machine's configuration and never asks. */
export function isolatedEnvironment(): NodeJS.ProcessEnv {
  return {
    // A test run that a git hook started would otherwise work on the repository of that hook.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
    // Git knows this name of the empty file on Windows too.
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** The settings are stored in the repository, so commits made from an editor work on any machine. */
async function initialise(folder: string): Promise<void> {
  await git(folder, 'init', '--quiet', '--initial-branch=main');
  await git(folder, 'config', 'user.name', 'Sample Author');
  await git(folder, 'config', 'user.email', 'author@code.example');
  await git(folder, 'config', 'commit.gpgSign', 'false');
  await git(folder, 'config', 'core.autocrlf', 'false');
}

const fixture = path.resolve(import.meta.dirname, '../fixtures/workspace');

/** The files of the sample application, a graph of two steps that needs nothing but Python: what F5 opens too. */
export const sampleFiles: Record<string, string> = Object.fromEntries(
  readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [path.relative(fixture, file).replaceAll(path.sep, '/'), readFileSync(file, 'utf8')]),
);
