import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cached } from './cache.mts';
import { runNpm } from './npm.mts';
import type { Release } from './releases.mts';

export interface InstalledServer {
  /** The Node to run it with. */
  readonly node: string;
  /** The script that serves the workbench. */
  readonly main: string;
}

/** Fetches VS Code from the npm registry, once; later calls find it in the project's cache. */
export async function installCodeServer(release: Release): Promise<InstalledServer> {
  const folder = await cached(`code-server-${release.codeServer}`, (draft) => fetchCodeServer(release, draft));
  return {
    node: release.node === undefined ? process.execPath : await installNode(release.node),
    main: path.join(folder, 'package/lib/vscode/out/server-main.js'),
  };
}

async function fetchCodeServer(release: Release, folder: string): Promise<void> {
  console.log(`Fetching VS Code ${release.vscode} from the npm registry (once, about 10 seconds)…`);
  await runNpm(folder, ['pack', `code-server@${release.codeServer}`]);
  const archive = path.join(folder, `code-server-${release.codeServer}.tgz`);
  await checkIntegrity(archive, release.integrity);
  await promisify(execFile)('tar', ['-xzf', path.basename(archive)], { cwd: folder });
  await rm(archive);

  // Installed here and not through npm's own install of code-server, which compiles native modules that need the
  // headers of the system; without them only the integrated terminal does not work.
  const vscode = path.join(folder, 'package/lib/vscode');
  const { replaced } = release;
  if (replaced) await dropDependency(vscode, replaced.name);
  const withoutScripts = ['--ignore-scripts', '--omit=dev', '--omit=optional'];
  await runNpm(vscode, ['install', ...withoutScripts]);
  if (replaced)
    await runNpm(vscode, ['install', '--no-save', ...withoutScripts, `${replaced.name}@${replaced.version}`]);
}

async function checkIntegrity(archive: string, expected: string): Promise<void> {
  const actual = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (actual === expected) return;
  throw new Error(
    `${path.basename(archive)} is not the archive that test/host/releases.mts names: its integrity is ${actual}. ` +
      'The registry gave another file; it is not used.',
  );
}

async function dropDependency(vscode: string, name: string): Promise<void> {
  for (const file of ['package.json', 'npm-shrinkwrap.json']) {
    const manifest = JSON.parse(await readFile(path.join(vscode, file), 'utf8'));
    delete manifest.dependencies?.[name];
    delete manifest.packages?.['']?.dependencies?.[name];
    delete manifest.packages?.[`node_modules/${name}`];
    await writeFile(path.join(vscode, file), JSON.stringify(manifest, undefined, 2));
  }
}

/** The package `node` fetches the program for this machine in its install script. */
async function installNode(version: string): Promise<string> {
  const folder = await cached(`node-${version}`, async (draft) => {
    console.log(`Fetching Node ${version} from the npm registry (once)…`);
    const manifest = { private: true, dependencies: { node: version }, allowScripts: { node: true } };
    await writeFile(path.join(draft, 'package.json'), JSON.stringify(manifest));
    await runNpm(draft, ['install']);
  });
  return path.join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
