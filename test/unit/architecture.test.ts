import path from 'node:path';
import { build } from 'esbuild';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { importsOf, isNode, listOf, parseSourceFile, readSourceFiles, root } from '../support/sourceFiles.ts';
import type { Import, SourceFile, SyntaxNode } from '../support/sourceFiles.ts';

/** For each layer, the other layers that it may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  api: [],
  git: [],
  core: ['api', 'git'],
  state: ['core', 'api', 'git'],
  ui: ['state', 'core', 'api', 'git'],
  'extension.ts': ['ui', 'state', 'core', 'api'],
  localService: ['core', 'api', 'git'],
};
/** What a person sets off; the other rooms of `ui` serve it and know nothing of it. */
const commands = 'src/ui/commands.ts';
/** What every room uses of VS Code, and which therefore knows none of them. */
const window = 'window';
/** Where one room of `ui` leads to another: its entry files, without which it cannot be entered from beside. */
const entries: Readonly<Record<string, readonly string[]>> = {
  connections: ['keys.ts'],
  deployments: ['chooseDeployment.ts', 'lenses.ts', 'sendChange.ts', 'showDeployment.ts'],
  documents: ['documentText.ts'],
  following: ['awaitBuilds.ts', 'followActions.ts'],
  listeners: ['registerListener.ts'],
  logs: ['logDocuments.ts'],
  page: ['messages.ts', 'pageHtml.ts', 'pagePanel.ts', 'yamlEdits.ts'],
  repositories: ['chooseRepository.ts'],
  resourceForm: ['deploymentSpec.ts', 'language.ts'],
  workspace: [
    'codeChanges.ts',
    'findRepository.ts',
    'folderOnDisk.ts',
    'gitExtension.ts',
    'isolatedGit.ts',
    'lastFetch.ts',
    'workspaceDrift.ts',
    'workspaceRepository.ts',
  ],
};
/** The pages in the browser, each in a folder beside the editor's side. */
const webviews = ['src/ui/resourceForm/webview/', 'src/ui/deploy/page/webview/'] as const;
const [form, deploymentPage] = webviews;
/** What a page shares with the editor's side: how they speak, and nothing that needs the editor. */
const sharedWithWebview = ['protocol.ts', 'pageMessages.ts'];
/** What pages are built of. */
const pageParts = 'src/ui/page/webview/';

const files = readSourceFiles('src');
const imports = new Map(files.map((file) => [file.path, importsOf(file)]));

describe('the one-way rule', () => {
  it('is kept by every file', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(violationsOf)).toEqual([]);
  });

  it.each([
    ['src/api/a.ts', "import { a } from '../core/a.ts';"],
    ['src/api/a.ts', "export * from '../core/a.ts';"],
    ['src/git/a.ts', "import type { A } from '../api/a.ts';"],
    ['src/git/a.ts', "import * as vscode from 'vscode';"],
    ['src/core/a.ts', "import { a } from '../git/a.ts';"],
    ['src/core/a.ts', "export type { A } from '../state/a.ts';"],
    ['src/core/a.ts', "import type { A } from 'vscode';"],
    ['src/core/a.ts', "import { join } from 'node:path';"],
    ['src/core/a.ts', "import { join } from 'path';"],
    ['src/state/a.ts', "const a = await import('../ui/a.ts');"],
    ['src/state/a.ts', 'const a = await import(`../ui/a.ts`);'],
    ['src/state/a.ts', "let a: import('../ui/a.ts').A;"],
    ['src/state/a.ts', "const a = require('../ui/a.ts');"],
    ['src/state/a.ts', "import a = require('../ui/a.ts');"],
    ['src/state/a.ts', "// oxlint-disable-next-line\nimport { a } from '../ui/a.ts'; // oxlint-disable-line"],
    ['src/ui/a.ts', "import { a } from '../extension.ts';"],
    ['src/ui/a.ts', "import { a } from '../localService/a.ts';"],
    ['src/ui/a.ts', "import { a } from './commands.ts';"],
    ['src/ui/following/a.ts', "import { parts } from '../parts.ts';"],
    ['src/ui/window/a.ts', "import type { A } from '../deployments/details.ts';"],
    ['src/ui/window/a.ts', "import type { A } from '../services.ts';"],
    ['src/ui/window/a.ts', "import { a } from '../attention.ts';"],
    ['src/ui/following/a.ts', "const a = await import('../deployments/deploymentsView.ts');"],
    ['src/ui/following/a.ts', "import type { A } from '../deploy/deploy.ts';"],
    ['src/ui/following/a.ts', "import type { A } from '../deploy/secrets/manageSecrets.ts';"],
    ['src/ui/deploy/secrets/a.ts', "import { a } from '../../repositories/repositoriesView.ts';"],
    ['src/ui/deploy/secrets/a.ts', "import { a } from '../../stores.ts';"],
    ['src/ui/following/a.ts', "import { a } from '../stores.ts';"],
    ['src/ui/following/a.ts', "import type { A } from '../commands.ts';"],
    ['src/localService/a.ts', "import { a } from '../state/a.ts';"],
    ['src/localService/a.ts', "import * as vscode from 'vscode';"],
    ['src/localService/a.ts', "import { a } from '../../test/localService/a.ts';"],
    ['src/state/a.ts', "import type { A } from '../../test/support/a.ts';"],
    ['src/api/a.ts', 'const a = await import(name);'],
    [`${form}a.ts`, "import { a } from '../panel.ts';"],
    [`${form}a.ts`, "import { a } from '../../../api/a.ts';"],
    [`${form}a.ts`, "import * as vscode from 'vscode';"],
    [`${form}a.ts`, "import { join } from 'node:path';"],
    [`${deploymentPage}a.ts`, "import { a } from '../pageEditor.ts';"],
    [`${deploymentPage}a.ts`, "import { a } from '../../plan.ts';"],
    [`${deploymentPage}a.ts`, "import { a } from '../../../resourceForm/protocol.ts';"],
    [`${deploymentPage}a.ts`, "import { a } from '../../../page/pageHtml.ts';"],
    [`${pageParts}a.ts`, "import { a } from '../../resourceForm/protocol.ts';"],
  ])('is broken by %s with %s', (file, text) => {
    expect(violationsOf(parseSourceFile(file, text))).toHaveLength(1);
  });

  it.each([
    ['src/core/a.ts', "import { a } from '../api/a.ts';"],
    ['src/core/a.ts', "import type { A } from '../git/a.ts';"],
    ['src/localService/a.ts', "import { a } from '../git/a.ts';"],
    ['src/ui/window/a.ts', "import * as vscode from 'vscode'; import { a } from '../../api/a.ts';"],
    ['src/extension.ts', "import { a } from './state/a.ts';"],
    ['src/ui/commands.ts', "const a = await import('./deployments/details.ts');"],
    ['src/ui/following/a.ts', "import { a } from '../deployments/showDeployment.ts'; import { b } from './b.ts';"],
    ['src/ui/following/a.ts', "import { a } from '../window/errors.ts'; import type { B } from '../services.ts';"],
    [
      'src/ui/deploy/secrets/a.ts',
      "import { a } from '../plan.ts'; import { b } from '../../listeners/registerListener.ts';",
    ],
    ['src/ui/window/a.ts', "import type { A } from '../stores.ts';"],
    ['src/state/a.ts', "// import { a } from '../ui/a.ts';\nconst a = \"import { a } from '../ui/a.ts';\";"],
    [`${form}a.ts`, "import type { A } from '../../../api/a.ts'; import { b } from '../protocol.ts';"],
    [`${deploymentPage}a.ts`, "import type { A } from '../pageMessages.ts'; import { b } from '../protocol.ts';"],
    [`${deploymentPage}a.ts`, "import { a } from '../../../page/messages.ts'; import { b } from './b.ts';"],
  ])('is kept by %s with %s', (file, text) => {
    expect(violationsOf(parseSourceFile(file, text))).toEqual([]);
  });

  it('lists only entry files that other rooms use', () => {
    const used = new Set(
      files.flatMap(({ path: from }) => imports.get(from)?.map(({ target }) => roomStep(from, target))),
    );
    const named = Object.entries(entries).flatMap(([room, names]) => names.map((name) => `${room}/${name}`));
    expect(named.filter((entry) => !used.has(entry))).toEqual([]);
  });

  it.each(webviews)("keeps the interface's code out of everything that %s loads", (webview) => {
    const loaded = reachable(files.filter((file) => file.path.startsWith(webview)).map((file) => file.path));
    expect(loaded).toContain('src/core/spec/specWords.ts');
    const own = path.posix.dirname(webview);
    expect(loaded.filter((file) => !/^src\/(core|ui\/page)\//.test(file) && !file.startsWith(`${own}/`))).toEqual([]);
  });
});

describe('source files', () => {
  it('have no singleton, no module state and no folder of odds and ends', () => {
    expect(files.flatMap(oddities)).toEqual([]);
    expect(files.map((file) => path.posix.dirname(file.path)).filter((folder) => /\butils?\b/i.test(folder))).toEqual(
      [],
    );
  });

  it.each([
    'export let a = 1;',
    'export var a = 1;',
    'let a = 1; export { a };',
    'class A { static getInstance() {} }',
  ])('are refused with %s', (text) => {
    expect(oddities(parseSourceFile('src/core/a.ts', text))).toHaveLength(1);
  });

  it('show messages in one place only, which makes no links of service text', () => {
    const showers = files.filter(({ nodes }) =>
      nodes.some(
        ({ type, name }) => type === 'Identifier' && /^show(Error|Warning|Information)Message$/.test(String(name)),
      ),
    );
    expect(showers.map((file) => file.path)).toEqual(['src/ui/window/errors.ts']);
  });

  it('create the log in one place only, which hides secrets', () => {
    const makers = files.filter(({ nodes }) =>
      nodes.some(({ type, name }) => type === 'Identifier' && name === 'createOutputChannel'),
    );
    expect(makers.map((file) => file.path)).toEqual(['src/ui/window/log.ts']);
  });

  it('export nothing that no other file uses', () => {
    const used = new Set(files.flatMap(importedNames));
    expect(files.flatMap((file) => unusedExports(file, used))).toEqual([]);
  });

  it.each([
    ['export const a = 1;', ['src/core/a.ts exports a']],
    ['export function a() {}', ['src/core/a.ts exports a']],
    ["export { a } from './b.ts';", ['src/core/a.ts exports a']],
    ['export type A = 1;', ['src/core/a.ts exports A']],
    ['export type A = 1; export const used = (a: A) => a;', []],
  ])('have their unused exports found in %s', (text, expected) => {
    const importer = parseSourceFile('src/ui/a.ts', "import { used } from '../core/a.ts';");
    const used = new Set(importedNames(importer));
    expect(unusedExports(parseSourceFile('src/core/a.ts', text), used)).toEqual(expected);
  });

  it('give no two exports the same name, except re-exports', () => {
    expect(sharedNames(files)).toEqual([]);
  });

  it('have exports with the same name found, even a type and a function', () => {
    const pair = (...texts: readonly string[]) => texts.map((text, index) => parseSourceFile(`src/${index}.ts`, text));
    expect(sharedNames(pair('export type A = 1;', 'export function A() {}'))).toEqual(['A in src/0.ts, src/1.ts']);
    expect(sharedNames(pair('const a = 1; export { a };', 'export const a = 2;'))).toHaveLength(1);
    expect(sharedNames(pair('export type A = 1;', "export type { A } from './0.ts';"))).toEqual([]);
    expect(sharedNames(pair('export function a(b: 1): 1; export function a(b: 2): 2;', 'export const b = 1;'))).toEqual(
      [],
    );
  });

  it('are at most 350 lines long, and the entry file at most a page', () => {
    const lengths = files.map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }));
    expect(lengths.find((file) => file.path === 'src/extension.ts')?.lines).toBeLessThanOrEqual(80);
    expect(lengths.filter(({ lines }) => lines > 350)).toEqual([]);
  });
});

// Bundling takes long on a busy machine.
describe('the start of the extension', { timeout: 120_000 }, () => {
  /** What runs only when the user does something: a command, or opening the form. */
  const loadedByUser = new Set([commands, 'src/ui/resourceForm/forms.ts']);

  it('loads nothing that searches, walks or watches the open folders, nor does what happens without the user', () => {
    const searching = /^(findFiles2?|findTextInFiles2?|createFileSystemWatcher|readDirectory|listFiles)$/;
    const searchers = files
      .filter(({ nodes }) => nodes.some(({ type, name }) => type === 'Identifier' && searching.test(String(name))))
      .map((file) => file.path);
    // Three belong to deploying a repository or a folder, one to choosing a spec file, and one watches files that were
    // opened.
    expect(searchers).toEqual([
      'src/git/files.ts',
      'src/ui/deploy/page/fileChecks.ts',
      'src/ui/window/specFiles.ts',
      'src/ui/workspace/findRepository.ts',
      'src/ui/workspace/folderOnDisk.ts',
    ]);
    const withoutUser = reachable(['src/extension.ts'], loadedByUser);
    expect(withoutUser).toContain('src/ui/workspace/searchedRepositories.ts');
    expect(withoutUser.filter((file) => searchers.includes(file))).toEqual([]);
  });

  const heavy = new Set(['zod', 'undici', 'yaml', 'hono']);

  it('loads no heavy package before a command needs it', async () => {
    const { metafile } = await build({
      entryPoints: ['src/extension.ts'],
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      logLevel: 'silent',
    });
    const atOnce = packagesOf(metafile, ['import-statement', 'require-call']);
    expect(atOnce.filter((name) => heavy.has(name))).toEqual([]);
    // The same walk that also follows dynamic imports does find them, so the one above can fail.
    expect(packagesOf(metafile, ['import-statement', 'require-call', 'dynamic-import'])).toEqual(
      expect.arrayContaining(['zod', 'undici', 'yaml']),
    );
  });
});

function violationsOf(file: SourceFile): readonly string[] {
  return importsOf(file)
    .filter((found) => !isAllowed(file.path, found))
    .map(({ target }) => `${file.path} imports ${target}`);
}

function isAllowed(from: string, { target, isTypeOnly }: Import): boolean {
  if (target === 'something computed' || target.startsWith('test/')) return false;
  const layer = layerOf(from) ?? '';
  const other = layerOf(target);
  const webview = webviews.find((folder) => from.startsWith(folder));
  if (webview !== undefined || from.startsWith(pageParts)) {
    if (other === undefined) return target !== 'vscode' && !isBuiltin(target);
    if (target.startsWith(pageParts) || other === 'core') return true;
    if (webview !== undefined && isOwn(webview, target)) return true;
    return other === 'api' && isTypeOnly;
  }
  if (target === commands) return from === 'src/ui/parts.ts';
  if (!mayEnter(from, target, isTypeOnly)) return false;
  if (target === 'vscode') return layer === 'ui' || layer === 'extension.ts';
  if (isBuiltin(target)) return layer !== 'core';
  // Deciding runs nothing.
  if (layer === 'core' && other === 'git') return isTypeOnly;
  return other === undefined || other === layer || (mayImport[layer] ?? []).includes(other);
}

/** Whether a file belongs to a page, or says how the page and the editor speak. */
function isOwn(webview: string, file: string): boolean {
  const own = path.posix.dirname(webview);
  const shared = ['src/ui/page/messages.ts', ...sharedWithWebview.map((name) => `${own}/${name}`)];
  return file.startsWith(webview) || shared.includes(file);
}

/** The rule between the rooms of `ui`: what stands beside them knows them all, and they know it by its types only. */
function mayEnter(from: string, target: string, isTypeOnly: boolean): boolean {
  const room = roomOf(from);
  if (room === undefined) return true;
  if (/^src\/ui\/[^/]+$/.test(target)) return isTypeOnly && (room !== window || target === 'src/ui/stores.ts');
  const step = roomStep(from, target);
  if (step === undefined || roomOf(target) === window) return true;
  const [other = '', file = ''] = step.split('/');
  return room !== window && entries[other]?.includes(file) === true;
}

/** The file of another room that is imported, from the folder of `ui`. */
function roomStep(from: string, target: string): string | undefined {
  const [room, other] = [roomOf(from), roomOf(target)];
  if (room === undefined || other === undefined || room === other) return undefined;
  return target.slice('src/ui/'.length);
}

function roomOf(file: string): string | undefined {
  return /^src\/ui\/([^/]+)\//.exec(file)?.[1];
}

function layerOf(file: string): string | undefined {
  return /^src\/([^/]+)/.exec(file)?.[1];
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || process.getBuiltinModule(name) !== undefined;
}

function oddities(file: SourceFile): readonly string[] {
  return file.nodes.flatMap((node) => {
    if (node.type === 'Identifier' && node['name'] === 'getInstance') return [`${file.path} has getInstance`];
    if (node.type !== 'Program') return [];
    return listOf(node['body']).flatMap((statement) => {
      const { type, declaration } = statement as SyntaxNode;
      const { kind } = (type.startsWith('Export') ? (declaration ?? {}) : statement) as { kind?: string };
      return kind === 'let' || kind === 'var' ? [`${file.path} has state of its own`] : [];
    });
  });
}

/** What a file imports or passes on from our other files, as `file name`; `file *` stands for everything. */
function importedNames(file: SourceFile): readonly string[] {
  return file.nodes.flatMap((node) =>
    importsOf({ ...file, nodes: [node] }).flatMap(({ target }) => {
      if (!('specifiers' in node)) return [`${target} *`];
      const specifiers = listOf(node['specifiers']) as Specifier[];
      return specifiers.map(({ type, imported, local }) =>
        type === 'ImportNamespaceSpecifier' ? `${target} *` : `${target} ${(imported ?? local).name}`,
      );
    }),
  );
}

interface Specifier {
  readonly type: string;
  readonly imported?: { readonly name: string };
  readonly local: { readonly name: string };
}

/**
 * Exports that only their own file uses. A type may be exported for those who are handed values of it, and the schemas
 * of the interface for the tests, which compare them with its samples.
 */
function unusedExports(file: SourceFile, used: ReadonlySet<string>): readonly string[] {
  if (file.path === 'src/extension.ts' || used.has(`${file.path} *`)) return [];
  return exportedNames(file)
    .filter(({ name, isType }) => {
      if (used.has(`${file.path} ${name}`)) return false;
      if (file.path.startsWith('src/api/') && /(Wire|Reader)$/.test(name)) return false;
      return !isType || file.nodes.filter((node) => node.type === 'Identifier' && node['name'] === name).length < 2;
    })
    .map(({ name }) => `${file.path} exports ${name}`);
}

/** The names that more than one file gives to something of its own. */
function sharedNames(files: readonly SourceFile[]): readonly string[] {
  const owners = new Map<string, Set<string>>();
  for (const file of files) {
    const own = { ...file, nodes: file.nodes.filter(({ source }) => !isNode(source)) };
    for (const { name } of exportedNames(own)) owners.set(name, (owners.get(name) ?? new Set()).add(file.path));
  }
  return [...owners].flatMap(([name, paths]) => (paths.size > 1 ? [`${name} in ${[...paths].join(', ')}`] : []));
}

function exportedNames({ nodes }: SourceFile): readonly { readonly name: string; readonly isType: boolean }[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const declaration = node['declaration'] as SyntaxNode | null;
    const parts = declaration === null ? node['specifiers'] : (declaration['declarations'] ?? [declaration]);
    return (listOf(parts) as { exported?: { name: string }; id?: { name: string } }[]).map((part) => ({
      name: (part.exported ?? part.id)?.name ?? '',
      isType: node['exportKind'] === 'type',
    }));
  });
}

/** Our own files whose code is loaded with these, themselves included, but not through the excepted ones. */
function reachable(from: readonly string[], except: ReadonlySet<string> = new Set()): readonly string[] {
  const found = new Set(from);
  for (const file of found) {
    for (const { target, isTypeOnly } of imports.get(file) ?? [])
      if (!isTypeOnly && imports.has(target) && !except.has(target)) found.add(target);
  }
  return [...found];
}

/** The npm packages that are reached from the entry file by imports of these kinds. */
function packagesOf(metafile: Metafile, kinds: readonly string[]): readonly string[] {
  const found = new Set(['src/extension.ts']);
  for (const file of found) {
    for (const { path: target, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (external !== true && kinds.includes(kind)) found.add(target);
    }
  }
  const names = [...found].flatMap((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)];
}
