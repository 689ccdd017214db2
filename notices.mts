import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';

const mit = (copyright: string): string => `MIT License

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/** The licenses of bundled folders whose packages leave them out, from the repositories of these projects. */
const leftOut: Readonly<Record<string, string>> = {
  '@vscode/l10n': mit('Copyright (c) Microsoft Corporation.'),
  'undici/lib/llhttp': mit('Copyright Fedor Indutny, 2018.'),
};

/**
 * Gives the licenses and notices of all packages in the bundles as one text.
 * @throws Error when one has none, because then it must not be shipped.
 */
export function noticesOf(bundles: readonly Metafile[], root: string): string {
  const files = bundles.flatMap(bundledFiles).map((file) => path.resolve(root, file).replaceAll('\\', '/'));
  const packages = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const sections = [...packages].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const inside = new Set(files.filter((file) => file.startsWith(`${folder}/`)));
    const notices = noticesIn(folder, [...inside]);
    if (notices.length === 0) throw new Error(`${name} has no license file. Give its license in notices.mts.`);
    return [`${name} ${version} (${license})`, ...notices].join('\n\n');
  });
  const rule = `\n\n${'='.repeat(80)}\n\n`;
  return `${['Deployment Manager contains these packages:', ...sections].join(rule)}\n`;
}

/** The files of which something is in a bundle. */
function bundledFiles({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
}

/** The license files beside the bundled files and above them, and the notices in the files, which bundling removes. */
function noticesIn(packageFolder: string, files: readonly string[]): readonly string[] {
  const folders = new Set(files.flatMap((file) => foldersOf(file, packageFolder)));
  const licenses = [...folders].toSorted().flatMap((folder) => {
    const texts = licensesIn(folder);
    if (folder === packageFolder) return texts;
    return texts.map((text) => `In ${path.posix.relative(packageFolder, folder)}:\n\n${text}`);
  });
  const comments = files.flatMap((file) => readFileSync(file, 'utf8').match(/\/\*!.*?\*\//gs) ?? []);
  return [...licenses, ...comments];
}

function licensesIn(folder: string): readonly string[] {
  const known = leftOut[folder.split('/node_modules/').at(-1) ?? ''];
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)\b/i.test(name));
  return [...(known ? [known] : []), ...names.map((name) => readFileSync(`${folder}/${name}`, 'utf8').trim())];
}

/** The folder of a file and all folders around it, up to the one of its package. */
function foldersOf(file: string, top: string): readonly string[] {
  const folder = path.posix.dirname(file);
  return folder === top ? [top] : [...foldersOf(folder, top), folder];
}
