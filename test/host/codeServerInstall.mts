import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cached } from './cache.mts';
import { runNpm } from './npm.mts';
import type { PinnedPackage, Release } from './releases.mts';

export interface InstalledServer {
  /** The Node to run it with. */
  readonly node: string;
  /** The script that serves the workbench. */
  readonly main: string;
}

/** Fetches VS Code from the npm registry, once; later calls find it in the project's cache. */
export async function installCodeServer(release: Release): Promise<InstalledServer> {
  const folder = await cached(`vscode-${release.vscode}`, (draft) => fetchCodeServer(release, draft));
  if (release.fileSearch) await addFileSearch(path.join(folder, 'package/lib/vscode'), release.fileSearch);
  return {
    node: release.node === undefined ? process.execPath : await installNode(release.node),
    main: path.join(folder, 'package/lib/vscode/out/server-main.js'),
  };
}

async function fetchCodeServer({ vscode, codeServer, replacement }: Release, folder: string): Promise<void> {
  console.log(`Fetching VS Code ${vscode} from the npm registry (once, about 10 seconds)…`);
  await fetchPackage(codeServer, folder);
  // Installed here and not through npm's own install of code-server, which compiles native modules that need the
  // headers of the system; without them only the integrated terminal does not work.
  const server = path.join(folder, 'package/lib/vscode');
  if (replacement) await replaceDependency(server, replacement);
  // The second folder has the TypeScript that the built-in extensions for TypeScript, JavaScript and HTML share.
  for (const installed of [server, path.join(server, 'extensions')]) {
    await runNpm(installed, ['install', '--ignore-scripts', '--omit=dev', '--omit=optional']);
  }
}

/**
 * Unpacks a package into the folder `package` of a folder. None of its scripts is run.
 * @throws Error when the registry gives another archive than the pinned one.
 */
export async function fetchPackage({ name, version, integrity }: PinnedPackage, folder: string): Promise<void> {
  await runNpm(folder, ['pack', `${name}@${version}`]);
  const archive = path.join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const actual = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (actual !== integrity) {
    throw new Error(
      `${name}@${version} is not the package that test/host/releases.mts names: its integrity is ${actual}. ` +
        'The registry gave another file; it is not used.',
    );
  }
  await promisify(execFile)('tar', ['-xzf', path.basename(archive)], { cwd: folder });
  await rm(archive);
}

/** Makes a dependency come from the registry and with its integrity, as all others in the shrinkwrap file do. */
async function replaceDependency(server: string, { name, version, integrity }: PinnedPackage): Promise<void> {
  const [manifestFile, lockFile] = [path.join(server, 'package.json'), path.join(server, 'npm-shrinkwrap.json')];
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
  manifest.dependencies[name] = version;
  const { packages, ...lock } = JSON.parse(await readFile(lockFile, 'utf8'));
  packages[''].dependencies[name] = version;
  Object.assign(packages[`node_modules/${name}`], { version, integrity, resolved: undefined });
  await writeFile(manifestFile, JSON.stringify(manifest, undefined, 2));
  await writeFile(lockFile, JSON.stringify({ ...lock, packages }, undefined, 2));
}

/** Puts ripgrep where an install script would; an installation of an earlier version of this file gets it too. */
async function addFileSearch(server: string, pinned: PinnedPackage): Promise<void> {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const wanted = path.join(server, 'node_modules/@vscode/ripgrep/bin', program);
  if (existsSync(wanted)) return;
  const folder = await cached(`ripgrep-${pinned.version}`, (draft) => fetchPackage(pinned, draft));
  await mkdir(path.dirname(wanted), { recursive: true });
  const draft = `${wanted}-${process.pid}`;
  await copyFile(path.join(folder, 'package/bin', `${process.platform}-${process.arch}`, program), draft);
  await rename(draft, wanted);
}

async function installNode(packages: Readonly<Record<string, PinnedPackage>>): Promise<string> {
  const system = `${process.platform}-${process.arch}`;
  const pinned = packages[system];
  if (!pinned) throw new Error(`test/host/releases.mts names no Node for ${system}.`);
  const folder = await cached(`${pinned.name}-${pinned.version}`, async (draft) => {
    console.log(`Fetching Node ${pinned.version} from the npm registry (once)…`);
    await fetchPackage(pinned, draft);
  });
  return path.join(folder, 'package/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
