import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PackageManager, listFiles } from '@vscode/vsce';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { noticesOf } from '../../notices.mts';
import { hireJanitor } from '../host/janitor.mts';
import { packageExtension } from '../host/packageExtension.mts';
import { root } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const file = 'dist/THIRD-PARTY-NOTICES.txt';

describe('the package', () => {
  let size: number;
  let notices: string;
  let packed: readonly string[];
  /** The folders of all packages of which something is in a bundle. */
  let bundled: readonly string[];

  beforeAll(async () => {
    await using janitor = await hireJanitor();
    const { vsix, folder } = await packageExtension(janitor);
    ({ size } = await stat(vsix));
    notices = await readFile(path.join(folder, file), 'utf8');
    packed = await listFiles({ cwd: folder, packageManager: PackageManager.None });
    bundled = await bundledPackages();
  }, 60_000);

  it('is at most 560 kB', () => {
    expect(size).toBeLessThanOrEqual(560_000);
  });

  it('contains the notices', () => {
    expect(packed.map((name) => name.replaceAll('\\', '/'))).toContain(file);
  });

  it('names every bundled package with its version and its license', async () => {
    expect(bundled.length).toBeGreaterThan(5);
    for (const folder of bundled) {
      const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      expect(notices).toContain(`\n${name} ${version} (${license})\n`);
      // The one that is bundled without a license file in its package.
      if (name === '@vscode/l10n') continue;
      expect(notices).toContain((await readFile(path.join(folder, 'LICENSE'), 'utf8')).trim());
    }
  });

  it.each([
    'Copyright (c) Microsoft Corporation.',
    'Copyright Fedor Indutny, 2018.',
    'formdata-polyfill. MIT License. Jimmy Wärting',
  ])('has notices for code without a license file in its package: %s', (text) => {
    expect(notices).toContain(text);
  });
});

it('a package without a license is not shipped', async () => {
  await using folder = await temporaryFolder();
  const input = 'node_modules/thing/index.js';
  await mkdir(path.join(folder.path, 'node_modules/thing'), { recursive: true });
  await writeFile(path.join(folder.path, 'node_modules/thing/package.json'), '{ "name": "thing" }');
  await writeFile(path.join(folder.path, input), 'export default 1;');
  const output = { bytes: 1, inputs: { [input]: { bytesInOutput: 1 } }, imports: [], exports: [] };
  const bundle = { inputs: {}, outputs: { 'dist/extension.js': output } };
  expect(() => noticesOf([bundle], folder.path)).toThrow('thing has no license');
});

async function bundledPackages(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/extension.ts', 'src/localService/main.ts', 'src/ui/resourceForm/webview/main.ts'],
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    external: ['vscode'],
    logLevel: 'silent',
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([name, { bytesInOutput }]) => bytesInOutput > 0 && name.includes('node_modules/'));
  const folders = used.map(([name]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
  return [...new Set(folders)].map((folder) => path.resolve(root, folder));
}
