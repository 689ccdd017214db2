import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PackageManager, listFiles } from '@vscode/vsce';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conditionsOf, holds, readManifest, readTexts, settingsOf, shownIn, textOf } from '../support/manifest.ts';
import type { ContextKeys, MenuItem } from '../support/manifest.ts';
import { isNode, listOf, literalText, nodesBelow, readSourceFiles, root } from '../support/sourceFiles.ts';
import type { SyntaxNode } from '../support/sourceFiles.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const prefix = 'deploymentManager.';
const manifest = readManifest();
const texts = readTexts();
const files = readSourceFiles('src');
const { commands, keybindings, menus, submenus, views, viewsContainers, viewsWelcome, walkthroughs } =
  manifest.contributes;
const allViews = Object.values(views).flat();
const allMenuItems = Object.entries(menus).flatMap(([menu, items]) => items.map((item) => ({ menu, ...item })));
const rowMenuItems = (menus['view/item/context'] ?? []).flatMap(({ submenu, ...item }) =>
  submenu === undefined ? [item] : (menus[submenu] ?? []),
);
const commandIds = commands.map(({ command }) => command);

describe('commands', () => {
  const handlers = handlerFiles();

  it('are exactly those in the table of the code', () => {
    expect(handlers.size).toBeGreaterThan(10);
    expect(commandIds.toSorted()).toEqual([...handlers.keys()].map((id) => prefix + id).toSorted());
    expect(new Set(commandIds).size).toBe(commandIds.length);
  });

  it('share a category and have titles in title case, with "…" if they mainly ask', () => {
    // Those that need an item ask only when none is selected, which is no reason for dots.
    const asking = new Set([
      'addConnection',
      'switchConnection',
      'editConnection',
      'removeConnection',
      'setApiKey',
      'forgetApiKey',
      'clearActivity',
      'filterDeployments',
      'filterRevisions',
      'filterLog',
      'deployCurrentRepository',
      'deployApplication',
      'deployFolder',
      'deployThisFolder',
      'createConfigFile',
      'deployFile',
      'createDeployment',
      'createDeploymentLikeThis',
      'changeDeployment',
      'deleteDeployment',
      'manageSecrets',
      'compareRevisions',
      'chooseWorkspaceDeployment',
      'editResourceSpec',
      'createListener',
      'editListener',
      'deleteListener',
      'deployRepository',
      'filterRepositories',
      'addAgent',
      'showAgentConnections',
      'updateOAuthProvider',
    ]);
    for (const { command, title, category } of commands) {
      const text = textOf(title);
      expect(category, command).toBe('Deployment Manager');
      expect(text, command).toMatch(
        /^[A-Z][A-Za-z]*( ([A-Z][A-Za-z]*|a|an|and|as|by|for|from|in|of|or|the|to|with|\([A-Z][a-z-]+\)))*…?$/,
      );
      expect(text.endsWith('…'), command).toBe(asking.has(command.slice(prefix.length)));
    }
    expect([...asking].filter((id) => !commandIds.includes(prefix + id))).toEqual([]);
  });

  it('have product icons, required where a title bar or a row shows only the icon', () => {
    for (const { command, icon } of commands) {
      if (icon !== undefined) expect(icon, command).toMatch(/^\$\([a-z-]+\)$/);
    }
    const shownAsIcon = allMenuItems
      .filter(({ group = '' }) => /^(inline|navigation)\b/.test(group))
      .filter(({ menu }) => menu.startsWith('view/') || menu === 'editor/title')
      .map((item) => item.command);
    expect(shownAsIcon.length).toBeGreaterThan(3);
    const withIcon = new Set(commands.filter(({ icon }) => icon !== undefined).map(({ command }) => command));
    expect(shownAsIcon.filter((command) => !withIcon.has(command ?? ''))).toEqual([]);
  });

  it('that need an item are hidden from the palette, ask for it, or work without it', () => {
    const hidden = new Set(menus['commandPalette']?.filter(({ when }) => when === 'false').map((item) => item.command));
    const ask = files.filter(({ nodes }) =>
      nodes.some(({ type, name }) => type === 'Identifier' && /^(choose|ask)[A-Z]/.test(String(name))),
    );
    const askingFiles = new Set(ask.map((file) => path.posix.basename(file.path)));
    // Without an item it ends the only follow, or lists them with a button for each.
    const useful = new Set([`${prefix}stopFollowing`]);
    const forItems = rowMenuItems.map(({ command = '' }) => command);
    expect(forItems.length).toBeGreaterThan(5);
    expect(
      forItems.filter(
        (command) =>
          !hidden.has(command) &&
          !useful.has(command) &&
          !askingFiles.has(handlers.get(command.slice(prefix.length)) ?? ''),
      ),
    ).toEqual([]);
  });
});

describe('a row that VS Code cannot name', () => {
  it("is rejected by every command of a row's menu, but not by a title's button", () => {
    const ofRows = commandTable().flatMap(([id, property]) =>
      [...nodesBelow(property)].some(({ type, name }) => type === 'Identifier' && name === 'ofRows')
        ? [prefix + id]
        : [],
    );
    const inTitles = new Set(menus['view/title']?.map(({ command }) => command));
    const inRows = rowMenuItems.map(({ command }) => command);
    expect(new Set(ofRows)).toEqual(new Set(inRows.filter((command) => !inTitles.has(command))));
  });
});

describe('keys', () => {
  it('take no key of VS Code', () => {
    const [deploy, ...others] = keybindings;
    // A test inside VS Code shows that this key is free.
    const deployCommand = commands.find(({ command }) => command === `${prefix}deployCurrentRepository`);
    expect(deploy).toEqual({
      command: deployCommand?.command,
      key: 'ctrl+shift+f8',
      mac: 'cmd+shift+f8',
      when: deployCommand?.enablement,
    });
    expect(others).toEqual([]);
  });
});

describe('menus and views', () => {
  it('name commands and views that exist', () => {
    const known = new Set(allViews.map(({ id }) => id));
    const submenuIds = submenus.map(({ id }) => id);
    const isKnown = ({ command = '', submenu = '' }) => commandIds.includes(command) || submenuIds.includes(submenu);
    expect(allMenuItems.filter((item) => !isKnown(item))).toEqual([]);
    expect(submenuIds.filter((id) => (menus[id] ?? []).length === 0)).toEqual([]);
    expect(viewsWelcome.map(({ view }) => view).filter((view) => !known.has(view))).toEqual([]);
    const named = allConditions().filter(({ key }) => key === 'view');
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ operator, value }) => operator !== '==' || !known.has(value ?? ''))).toEqual([]);
    const linked = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/\(command:([^)?]+)/g)].map(([, id]) => id),
    );
    expect(linked.length).toBeGreaterThan(3);
    // VS Code itself gives each view a command that shows it.
    const ofEditor = new Set([
      'vscode.openFolder',
      'workbench.trust.manage',
      ...allViews.map(({ id }) => `${id}.focus`),
    ]);
    expect(linked.filter((id = '') => !commandIds.includes(id) && !ofEditor.has(id))).toEqual([]);
  });

  it('depend on known context keys only, and on every key that the code sets', () => {
    const ours = files.flatMap((file) =>
      callsOf(file.nodes, 'contextKey').map((call) => literalText(listOf(call['arguments'])[0])),
    );
    const used = new Set(
      allConditions().flatMap(({ key, operator, value = '' }) => (operator === 'in' ? [key, value] : [key])),
    );
    const ofEditor = new Set([
      'view',
      'viewItem',
      'isWorkspaceTrusted',
      'virtualWorkspace',
      'workspaceFolderCount',
      'scmProvider',
      'resourcePath',
      'activeCustomEditorId',
      'resourceFilename',
      'resourceExtname',
      'resourceScheme',
      'explorerResourceIsFolder',
      'config.deploymentManager.connections',
      'true',
      'false',
    ]);
    expect([...used].filter((key) => !ofEditor.has(key) && !ours.includes(key))).toEqual([]);
    expect(ours.filter((key = '') => !used.has(key))).toEqual([]);
    const states = allConditions().filter(({ key }) => key === 'deploymentManager.connection');
    expect(states.filter(({ value = '' }) => !['none', 'keyMissing', 'ready'].includes(value))).toEqual([]);
    // What hides revisions is never the reason for a list without deployments, so its words ask for which it is.
    const filters = allConditions().filter(({ key }) => key === 'deploymentManager.filtered');
    expect(filters.filter(({ value = 'deployments' }) => value !== 'deployments')).toEqual([]);
  });

  it('match only tags that tree rows have', () => {
    const written = new Set(
      files
        .filter((file) => /^src\/(ui|core)\//.test(file.path))
        .flatMap(({ nodes }) => nodes.map((node) => literalText(node))),
    );
    const tags = allConditions()
      .filter(({ key }) => key === 'viewItem')
      .flatMap(({ value = '' }) => value.match(/[A-Za-z]+/g) ?? []);
    expect(tags).toContain('deployment');
    expect(tags.filter((tag) => !written.has(tag))).toEqual([]);
  });

  it.each([
    ['deployments', 'deployment;success;followed;application;repository;page;drift;'],
    ['deployments', 'deployment;failed;notFollowed;application;repository;page;noDrift;'],
    ['deployments', 'revision;success;'],
    ['deployments', 'failure;'],
    ['listeners', 'listener;'],
    ['listeners', 'failure;'],
    ['repositories', 'installation;'],
    ['repositories', 'repository;page;'],
    ['agents', 'agent;'],
    ['agents', 'agentConnection;'],
  ])(
    'show at most three inline actions, none destructive, in the view "%s" on a row with the tags "%s"',
    (view, context) => {
      const inline = shownOnRow(view, context).filter(({ group = '' }) => group.startsWith('inline'));
      expect(inline.length).toBeLessThanOrEqual(3);
      expect(inline.filter(({ command = '' }) => /remove|delete|forget/i.test(command))).toEqual([]);
    },
  );

  it.each([
    ['listeners', 'listener;', 'Open Details'],
    ['repositories', 'repository;page;', 'Deploy Repository…'],
    ['agents', 'agent;', 'Remove Agent'],
    ['agents', 'agentConnection;', 'Update OAuth Provider…'],
  ])('offer, in the view "%s" on a row with the tags "%s", the command "%s"', (view, context, title) => {
    const offered = shownOnRow(view, context).map(({ command }) =>
      textOf(commands.find((known) => known.command === command)?.title ?? ''),
    );
    expect(offered).toContain(title);
  });

  it('give each view its own refresh button', () => {
    const buttons = (menus['view/title'] ?? []).filter(({ group = '' }) => group.startsWith('navigation'));
    for (const { id, name } of allViews) {
      const ofView = buttons.filter(({ when = '' }) => when.startsWith(`view == ${id} `)).map(({ command }) => command);
      expect(ofView.filter((command) => command?.includes('refresh'))).toEqual([`${prefix}refresh${textOf(name)}`]);
    }
  });

  it('open a spec file in the form wherever the file is shown, and no other file', () => {
    const items = allMenuItems.filter(({ command }) => command === `${prefix}editResourceSpec`);
    const ofFiles = items.filter(({ menu }) => /^(explorer|editor)\//.test(menu));
    expect(ofFiles.map(({ menu }) => menu)).toEqual(['explorer/context', 'editor/title', 'editor/title/context']);
    const when = String.raw`resourceFilename =~ /\.resource-spec\.ya?ml$/`;
    const unlessShown = `${when} && activeCustomEditorId != deploymentManager.resourceSpec`;
    expect(ofFiles.map((item) => item.when)).toEqual([when, unlessShown, when]);
  });

  it('deploy from a config file on disk by its usual name or its text, and from the Source Control view of git', () => {
    const placesOf = (id: string) =>
      allMenuItems.filter(({ command }) => command === prefix + id).map(({ menu, when }) => [menu, when]);
    const named = String.raw`resourceFilename =~ /^(langgraph\.json|graph(_config)?\.(json|ya?ml))$/`;
    const onDisk = 'resourceScheme =~ /^(file|vscode-remote)$/';
    const usual = `isWorkspaceTrusted && workspaceFolderCount != 0 && ${onDisk} && ${named}`;
    const ofFiles = `resourcePath in deploymentManager.activeConfig || ${usual}`;
    expect(placesOf('deployCurrentRepository')).toEqual([
      ['view/title', 'view == deploymentManager.deployments && isWorkspaceTrusted && !virtualWorkspace'],
      ['scm/title', 'scmProvider == git'],
    ]);
    expect(placesOf('deployApplication').filter(([menu]) => menu !== 'commandPalette')).toEqual([
      ['explorer/context', ofFiles],
      ['editor/title', ofFiles],
    ]);
  });

  it('know the names of config files that the setting has by default', () => {
    const inExplorer = allMenuItems.find(
      ({ command, menu }) => command === `${prefix}deployApplication` && menu === 'explorer/context',
    );
    const names = conditionsOf(inExplorer?.when ?? '').flatMap(({ key, value = '' }) =>
      key === 'resourceFilename' ? [new RegExp(value.slice(1, -1))] : [],
    );
    const usual = [
      'langgraph.json',
      ...['graph', 'graph_config'].flatMap((name) => [`${name}.json`, `${name}.yaml`, `${name}.yml`]),
    ];
    const others = ['langgraph.yaml', 'graphXjson', 'my-graph.json', 'graph.json.bak', 'graph_.json', 'graph.jsonc'];
    expect(names).toHaveLength(1);
    expect([...usual, ...others].filter((name) => names[0]?.test(name))).toEqual(usual);
  });

  it('put every entry of a context menu or a title into a group', () => {
    const ungrouped = allMenuItems.filter(
      ({ menu, group }) => /^(view|explorer|editor|scm)\//.test(menu) && group === undefined,
    );
    expect(ungrouped).toEqual([]);
  });

  it('have names, icons and welcome texts', () => {
    expect(viewsContainers.activitybar.map(({ id }) => id)).toEqual(['deploymentManager']);
    expect(allViews.length).toBeGreaterThan(0);
    for (const { id, name, icon, contextualTitle } of allViews) {
      expect(textOf(name), id).not.toBe('');
      expect(textOf(contextualTitle ?? ''), id).not.toBe('');
      expect(icon, id).toMatch(/^(media\/.+\.svg|\$\([a-z-]+\))$/);
      expect(
        viewsWelcome.map(({ view }) => view),
        id,
      ).toContain(id);
    }
    expect(new Set(allViews.map(({ icon }) => icon)).size).toBe(allViews.length);
  });
});

describe('a view without rows', () => {
  const places = {
    'no folder': { workspaceFolderCount: '0', isWorkspaceTrusted: true },
    'no folder, not trusted': { workspaceFolderCount: '0' },
    'a folder': { workspaceFolderCount: '1', isWorkspaceTrusted: true },
    'several folders': { workspaceFolderCount: '2', isWorkspaceTrusted: true },
    'Restricted Mode': { workspaceFolderCount: '1' },
    'a virtual folder': { workspaceFolderCount: '1', isWorkspaceTrusted: true, virtualWorkspace: 'memfs' },
    'a virtual folder, not trusted': { workspaceFolderCount: '1', virtualWorkspace: 'memfs' },
  };
  const deployments = [
    ['no folder', 'emptyNoFolder'],
    ['no folder, not trusted', 'emptyNoFolder'],
    ['a folder', 'empty'],
    ['several folders', 'empty'],
    ['Restricted Mode', 'emptyRestricted'],
    ['a virtual folder', 'emptyVirtual'],
    ['a virtual folder, not trusted', 'emptyRestricted'],
  ] as const;

  /** The names of the texts that a view shows together, with these context keys. */
  function textsIn(view: string, keys: ContextKeys): readonly string[] {
    return viewsWelcome
      .filter(({ view: of, when }) => of === prefix + view && holds(when, keys))
      .map(({ contents }) => contents.replace(/^%welcome\.(.+)%$/, '$1'));
  }

  it.each(deployments)('says in a window with %s what can be done there: %s', (place, text) => {
    const keys = { ...places[place], 'deploymentManager.connection': 'ready', 'deploymentManager.filtered': false };
    expect(textsIn('deployments', keys)).toEqual([text]);
    expect(textsIn('deployments', { ...keys, 'deploymentManager.filtered': 'revisions' })).toEqual([text]);
    expect(textsIn('deployments', { ...keys, 'deploymentManager.filtered': 'deployments' })).toEqual(['nothingFits']);
  });

  it('offers a connection that was added before only where there is one', () => {
    const keys = { 'deploymentManager.connection': 'none' };
    expect(textsIn('deployments', { ...keys, 'deploymentManager.hasConnections': false })).toEqual(['none']);
    expect(textsIn('deployments', { ...keys, 'deploymentManager.hasConnections': true })).toEqual([
      'none',
      'notChosen',
    ]);
  });

  it.each(Object.entries(places))('has one text in a window with %s, whatever the connection', (_place, keys) => {
    for (const connection of ['none', 'keyMissing', 'ready']) {
      for (const { id } of allViews) {
        const shown = textsIn(id.slice(prefix.length), { ...keys, 'deploymentManager.connection': connection });
        expect(shown, `${id}: ${connection}`).toHaveLength(1);
      }
    }
  });
});

describe('the walkthrough', () => {
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('is the only one, with a few steps that each have a verb, a button and an event that completes it', () => {
    expect(walkthroughs).toHaveLength(1);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.length).toBeLessThanOrEqual(5);
    const ends = new Set([
      'onContext:deploymentManager.connection == ready',
      ...commandIds.map((id) => `onCommand:${id}`),
      ...allViews.map(({ id }) => `onView:${id}`),
    ]);
    for (const { id, title, description, completionEvents } of steps) {
      expect(textOf(title), id).toMatch(/^(Connect|Deploy|See|Set) /);
      expect(textOf(description), id).toMatch(/^\[[^\]]+\]\(command:[^)]+\)$/m);
      expect(completionEvents.length, id).toBeGreaterThan(0);
      expect(
        completionEvents.filter((event) => !ends.has(event)),
        id,
      ).toEqual([]);
    }
  });

  it('has pictures with alternative texts and with colors of the theme only', async () => {
    for (const { media } of steps) {
      expect(textOf(media.altText)).toMatch(/\.$/);
      const picture = await readFile(path.join(root, media.svg), 'utf8');
      const colors = [...picture.matchAll(/\b(?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color);
      expect(colors.length, media.svg).toBeGreaterThan(5);
      expect(
        colors.filter((color = '') => !/^(none|var\(--vscode-[\w-]+\))$/.test(color)),
        media.svg,
      ).toEqual([]);
      // VS Code removes style elements and attributes from the pictures of walkthroughs.
      expect(picture, media.svg).not.toContain('style');
    }
  });
});

describe('the extension as a whole', () => {
  it('has exactly the texts that the manifest refers to', () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? '');
    expect(used.length).toBeGreaterThan(20);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(texts).toSorted());
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('is activated only by events that the code needs', () => {
    // VS Code adds those of commands, views and custom editors itself.
    expect(manifest.activationEvents).toEqual(['onStartupFinished']);
  });

  it('declares its limits in Restricted Mode and in virtual workspaces at the top level', () => {
    const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
    expect(untrustedWorkspaces.supported).toBe('limited');
    expect(virtualWorkspaces.supported).toBe('limited');
    expect(textOf(untrustedWorkspaces.description)).toMatch(/\.$/);
    expect(textOf(virtualWorkspaces.description)).toMatch(/\.$/);
    expect(manifest.contributes).not.toHaveProperty('capabilities');
    const settings = Object.keys(settingsOf(manifest));
    expect(settings).toEqual(expect.arrayContaining([...untrustedWorkspaces.restrictedConfigurations]));
  });

  it('runs where the workspace is, because it needs its files and its git', () => {
    const readsWorkspace = files.some(({ nodes }) =>
      nodes.some(({ type, value }) => type === 'Literal' && value === 'vscode.git'),
    );
    expect(readsWorkspace).toBe(true);
    expect(manifest.extensionKind).toEqual(['workspace']);
  });

  it('offers to deploy the open repository only where git can run', () => {
    const offers = [
      ...(menus['view/title'] ?? []).filter(({ command }) => command === 'deploymentManager.deployCurrentRepository'),
      ...viewsWelcome.filter(
        ({ contents, when = '' }) =>
          textOf(contents).includes('command:deploymentManager.deployCurrentRepository') && when !== '',
      ),
    ];
    expect(offers).toHaveLength(2);
    for (const { when = '' } of offers) {
      expect(when).toContain('isWorkspaceTrusted');
      expect(when).toContain('!virtualWorkspace');
    }
  });

  it('requires a VS Code that has every API of its types', () => {
    const [major, minor] = versionOf(manifest.engines.vscode);
    expect([major, minor]).toEqual(versionOf(manifest.devDependencies['@types/vscode'] ?? '').slice(0, 2));
  });

  it('has the addresses of one repository, which can be published', () => {
    const { repository, homepage, bugs, qna } = manifest;
    const site = repository.url.replace(/\.git$/, '');
    expect(site).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
    expect([homepage, bugs.url, qna]).toEqual([`${site}#readme`, `${site}/issues`, `${site}/discussions`]);
    expect(manifest).not.toHaveProperty('private');
    expect(manifest.categories.filter((category) => category !== 'Other')).not.toEqual([]);
  });

  it('has a dated heading in the change log for its version, on top', async () => {
    const headings = (await readFile(path.join(root, 'CHANGELOG.md'), 'utf8')).match(/^## .+$/gm) ?? [];
    const released = headings.find((heading) => heading !== '## [Unreleased]');
    expect(released).toMatch(new RegExp(String.raw`^## \[${manifest.version}\] - \d{4}-\d\d-\d\d$`));
  });

  it('is tested on each system with the oldest and the newest Node', async () => {
    const workflow = parse(await readFile(path.join(root, '.github/workflows/ci.yml'), 'utf8'));
    const { strategy, steps } = workflow.jobs.test;
    expect(strategy.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [20, 24] });
    const commands = steps.flatMap(({ run = '' }) => (run === '' ? [] : [run]));
    expect(commands).toEqual([expect.stringContaining('openssh-server'), 'npm test', 'npm run package']);
  });

  it('has a PNG icon of at least 128 pixels', async () => {
    const image = await readFile(path.join(root, manifest.icon));
    expect(image.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(image.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
    expect(image.readUInt32BE(20)).toBe(image.readUInt32BE(16));
  });

  it('is packaged without sources, tests, source maps and modules', async () => {
    await using folder = await temporaryFolder();
    const packed = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/chunks/chunk-2YPCDKAH.js',
      'dist/deploymentPage.css',
      'dist/deploymentPage.js',
      'dist/extension.js',
      'dist/langgraph.schema.json',
      'dist/localService.js',
      'dist/resourceForm.css',
      'dist/resourceForm.js',
      'l10n/bundle.l10n.de.json',
      'media/icon.png',
      'media/view.svg',
      'package.json',
      'package.nls.de.json',
      'package.nls.json',
    ];
    const left = [
      '.env',
      '.gitignore',
      '.oxlintrc.json',
      '.vscode/launch.json',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'configSchema.mts',
      'dist/extension.js.map',
      'dist/test/vscode/index.js',
      'esbuild.mjs',
      'notices.mts',
      'package-lock.json',
      'node_modules/zod/index.js',
      'src/extension.ts',
      'test/unit/manifest.test.ts',
      'test-results/picture.png',
      'tsconfig.json',
    ];
    for (const file of [...packed, ...left]) {
      const target = path.join(folder.path, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, '');
    }
    for (const file of ['package.json', '.vscodeignore']) {
      await writeFile(path.join(folder.path, file), await readFile(path.join(root, file)));
    }
    const listed = await listFiles({ cwd: folder.path, packageManager: PackageManager.None });
    expect(listed.map((file) => file.replaceAll('\\', '/')).toSorted()).toEqual(packed.toSorted());
  });
});

/** The file that holds the handler of each command, by the command's id without the prefix. */
function handlerFiles(): ReadonlyMap<string, string> {
  const table = files.find((file) => file.path === 'src/ui/commands.ts');
  const imported = new Map(
    (table?.nodes ?? []).flatMap((node) =>
      node.type === 'ImportDeclaration'
        ? (listOf(node['specifiers']) as { local: { name: string } }[]).map(
            ({ local }) => [local.name, path.posix.basename(String((node['source'] as SyntaxNode)['value']))] as const,
          )
        : [],
    ),
  );
  return new Map(
    commandTable().map(([id, property]) => {
      const names = [...nodesBelow(property)].flatMap(({ type, name }) =>
        type === 'Identifier' ? [String(name)] : [],
      );
      // A handler may have the name of its command, which is the key of the property.
      return [id, names.flatMap((name) => imported.get(name) ?? [])[0] ?? ''];
    }),
  );
}

/** The entries of the table of commands, by their ids. */
function commandTable(): readonly (readonly [id: string, property: unknown])[] {
  const index = files.find((file) => file.path === 'src/ui/commands.ts');
  const table = index?.nodes.find(
    ({ type, id }) => type === 'VariableDeclarator' && isNode(id) && id['name'] === 'commands',
  );
  const object = [table?.['init']].map((value) =>
    isNode(value) && value.type.startsWith('TS') ? value['expression'] : value,
  )[0];
  const properties = isNode(object) ? listOf(object['properties']) : [];
  return (properties as { key: { name: string } }[]).map((property) => [property.key.name, property]);
}

function callsOf(nodes: readonly SyntaxNode[], name: string): readonly SyntaxNode[] {
  return nodes.filter(({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee['name'] === name);
}

function allConditions(): ReturnType<typeof conditionsOf> {
  const whens = [...allMenuItems, ...keybindings, ...viewsWelcome, ...allViews].map(({ when }) => when);
  return [...whens, ...commands.map(({ enablement }) => enablement)].flatMap((when) =>
    when === undefined ? [] : conditionsOf(when),
  );
}

function shownOnRow(view: string, tags: string): readonly MenuItem[] {
  return shownIn(manifest, 'view/item/context', { isWorkspaceTrusted: true, view: prefix + view, viewItem: tags });
}

function versionOf(text: string): readonly number[] {
  return text
    .replace(/^[^\d]/, '')
    .split('.')
    .map(Number);
}
