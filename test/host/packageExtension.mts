import { once } from 'node:events';
import { cp, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { Janitor } from './janitor.mts';

const root = path.resolve(import.meta.dirname, '../..');

export interface PackagedExtension {
  /** The path of the package. */
  readonly vsix: string;
  /** The folder that was packed; its `dist` holds the production build. */
  readonly folder: string;
  /** What the packaging printed. */
  readonly said: string;
}

/** What the production build and the packaging read; what of it ends up in the package, `.vscodeignore` decides. */
const sources =
  /^(?:src|media|l10n|package\.json|package\.nls.*\.json|esbuild\.mjs|(?:configSchema|notices)\.mts|tsconfig\.json|\.vscodeignore|[A-Z]+(?:\.md)?)$/;

/**
 * Builds the extension for production and packs it as a person would install it. This is done in a copy, because a
 * production build in the project would take away the build that tests and F5 are using.
 * The copy and the package are made in the janitor's folder.
 */
export async function packageExtension(janitor: Janitor): Promise<PackagedExtension> {
  const copy = path.join(janitor.folder, 'package');
  await mkdir(copy, { recursive: true });
  await cp(root, copy, {
    recursive: true,
    filter: (source) => source === root || sources.test(path.relative(root, source).split(path.sep)[0] ?? ''),
  });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  const vsix = path.join(janitor.folder, 'deployment-manager.vsix');
  return { vsix, folder: copy, said: await runVsce(janitor, copy, ['--out', vsix]) };
}

/** Packs an extension that isn't published, and gives the path of the package. */
export async function pack(janitor: Janitor, extension: string, vsix: string): Promise<string> {
  const lenient = ['--no-dependencies', '--allow-missing-repository', '--skip-license'];
  await runVsce(janitor, extension, [...lenient, '--out', vsix]);
  return vsix;
}

async function runVsce(janitor: Janitor, extension: string, flags: readonly string[]): Promise<string> {
  const script = path.join(root, 'node_modules/@vscode/vsce/vsce');
  // npm would leave its compiled scripts among the temporary files of the system.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const parameters = [script, 'package', ...flags];
  const packing = janitor.spawn(process.execPath, parameters, { cwd: extension, env });
  const said: string[] = [];
  for (const stream of [packing.stdout, packing.stderr]) stream?.on('data', (text) => said.push(String(text)));
  const [code] = await once(packing, 'close');
  if (code !== 0) throw new Error(`The extension could not be packaged:\n${said.join('')}`);
  return said.join('');
}
