import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs npm without its chatter and waits for it.
 * @throws Error with npm's own words when it fails.
 */
export async function runNpm(folder: string, parameters: readonly string[]): Promise<void> {
  const all = [...parameters, '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: folder, timeout: 300_000, env: environmentOfItsOwn(), maxBuffer: 64_000_000 };
  const run = promisify(execFile);
  try {
    const { command, first, shell } = npmCommand();
    await run(command, [...first, ...all], { ...options, shell });
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error && error.stderr ? error.stderr : error;
    throw new Error(`"npm ${parameters.join(' ')}" failed. Is the npm registry reachable? npm said:\n${String(said)}`, {
      cause: error,
    });
  }
}

export interface NpmCommand {
  readonly command: string;
  /** What comes before npm's own parameters. */
  readonly first: readonly string[];
  /** Whether the command is a script that only a shell can start. */
  readonly shell: boolean;
}

/** How npm is started: the one that runs this script if there is one, else the one on the PATH. */
export function npmCommand(): NpmCommand {
  const script = process.env['npm_execpath'] ?? '';
  if (path.basename(script).startsWith('npm-cli')) return { command: process.execPath, first: [script], shell: false };
  return { command: 'npm', first: [], shell: process.platform === 'win32' };
}

/** The npm that runs this script hands its settings down, among them the folder that it works in. */
function environmentOfItsOwn(): NodeJS.ProcessEnv {
  const inherited = /^npm_config_(?:local_prefix|prefix|global|omit|include|dry_run|ignore_scripts|allow_scripts)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)));
}
