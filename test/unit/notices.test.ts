import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { noticesOf } from '../../notices.mts';
import { hireJanitor } from '../host/janitor.mts';
import { packageExtension } from '../host/packageExtension.mts';
import { readManifest } from '../support/manifest.ts';
import { root } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { filesOfZip } from '../support/zipFile.ts';

const file = 'dist/THIRD-PARTY-NOTICES.txt';

describe('the package', () => {
  let size: number;
  let said: string;
  let files: ReturnType<typeof filesOfZip>;
  let notices: string;
  /** The folders of all packages of which something is in a bundle. */
  let bundled: readonly string[];

  beforeAll(async () => {
    await using janitor = await hireJanitor();
    const packaged = await packageExtension(janitor);
    ({ said } = packaged);
    const vsix = await readFile(packaged.vsix);
    size = vsix.length;
    files = filesOfZip(vsix);
    notices = textOf(files, file);
    bundled = await bundledPackages();
  }, 60_000);

  it('is at most 560 kB', () => {
    expect(size).toBeLessThanOrEqual(560_000);
  });

  it('is made without flags or warnings', () => {
    expect(readManifest().scripts['package']).toBe('vsce package');
    expect(said).toContain('DONE');
    expect(said).not.toContain('WARNING');
  });

  it('contains exactly what runs, what is shown and what must be told', () => {
    const chunk = /^extension\/dist\/chunks\/[\w-]+-[0-9A-Z]{8}\.js$/;
    const names = [...files.keys()];
    expect(names.filter((name) => chunk.test(name)).length).toBeGreaterThan(10);
    expect(names.filter((name) => !chunk.test(name)).toSorted()).toEqual([
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/LICENSE.txt',
      'extension/changelog.md',
      'extension/dist/THIRD-PARTY-NOTICES.txt',
      'extension/dist/deploymentPage.css',
      'extension/dist/deploymentPage.js',
      'extension/dist/extension.js',
      'extension/dist/langgraph.schema.json',
      'extension/dist/localService.js',
      'extension/dist/pages.js',
      'extension/dist/resourceForm.css',
      'extension/dist/resourceForm.js',
      'extension/media/git.config',
      'extension/media/icon.png',
      'extension/media/view.svg',
      'extension/media/walkthroughConnect.svg',
      'extension/media/walkthroughDeploy.svg',
      'extension/media/walkthroughLive.svg',
      'extension/media/walkthroughResources.svg',
      'extension/package.json',
      'extension/package.nls.json',
      'extension/readme.md',
    ]);
  });

  const holding = (text: RegExp) => [...files].filter(([, read]) => text.test(read().toString())).map(([name]) => name);

  it('has the configuration of git where its script looks for it', () => {
    const scripts = holding(/import\.meta\.dirname/);
    expect(scripts).toHaveLength(1);
    const [, way = ''] =
      /\$\{import\.meta\.dirname\}(\/[^`]+)/.exec(textOf(files, scripts[0]?.slice('extension/'.length) ?? '')) ?? [];
    expect(files.has(path.posix.join(path.posix.dirname(scripts[0] ?? ''), way))).toBe(true);
  });

  it('contains nothing of the local service that only tests use', () => {
    expect(holding(/\/_control\//)).not.toEqual([]);
    expect(holding(/\/_dev\/|--mode\b|dev-controls/)).toEqual([]);
  });

  it('has a README whose pictures and links are on the web', () => {
    const targets = [...textOf(files, 'readme.md').matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(2);
    expect(targets.filter((target) => !target?.startsWith('https://'))).toEqual([]);
  });

  it('names every bundled package with its version and its license', async () => {
    expect(bundled.length).toBeGreaterThan(5);
    for (const folder of bundled) {
      const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      expect(notices).toContain(`\n${name} ${version} (${license})\n`);
      // The one that is bundled without a license file in its package.
      if (name === '@vscode/l10n') continue;
      const file = (await readdir(folder)).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each)) ?? '';
      expect(notices).toContain((await readFile(path.join(folder, file), 'utf8')).trim());
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

function textOf(files: ReturnType<typeof filesOfZip>, name: string): string {
  return files.get(`extension/${name}`)?.().toString() ?? '';
}

async function bundledPackages(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [
      'src/extension.ts',
      'src/localService/main.ts',
      'src/ui/deploy/page/webview/main.ts',
      'src/ui/resourceForm/webview/main.ts',
    ],
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
