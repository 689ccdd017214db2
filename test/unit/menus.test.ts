import { describe, expect, it } from 'vitest';
import { flavors, type Capability } from '../../src/api/flavor.ts';
import { holds, readManifest, shownIn, textOf } from '../support/manifest.ts';
import type { ContextKeys } from '../support/manifest.ts';

const prefix = 'deploymentManager.';
const manifest = readManifest();
const { submenus, views } = manifest.contributes;
const viewIds = Object.values(views).flatMap((ofContainer) => ofContainer.map(({ id }) => id));

/** The commands that a menu shows, also in its submenus. */
function commandsIn(menu: string, keys: ContextKeys): readonly string[] {
  return shownIn(manifest, menu, keys).flatMap(({ command = '', submenu }) =>
    submenu === undefined ? [command.replace(prefix, '')] : commandsIn(submenu, keys),
  );
}

describe('every menu', () => {
  const states = windowStates();
  const view = `${prefix}deployments`;

  it.each(viewIds)('above the view %s has at most six entries beside its buttons', (each) => {
    for (const state of states) {
      const shown = shownIn(manifest, 'view/title', { ...state, view: each });
      const overflow = shown.filter(({ group = '' }) => !group.startsWith('navigation'));
      expect(overflow.length, JSON.stringify(state)).toBeLessThanOrEqual(6);
      expect(shown.length - overflow.length, JSON.stringify(state)).toBeLessThanOrEqual(4);
    }
  });

  it('have each submenu once in a menu, because VS Code rejects a second one', () => {
    for (const [menu, items] of Object.entries(manifest.contributes.menus)) {
      const ids = items.flatMap(({ submenu }) => submenu ?? []);
      expect([menu, ids]).toEqual([menu, [...new Set(ids)]]);
    }
  });

  it.each(submenus)('below "$label" has at most nine entries', ({ id }) => {
    for (const state of states) expect(shownIn(manifest, id, state).length).toBeLessThanOrEqual(9);
  });

  it.each(rowStates())('of a row in the view %s with the tags "%s" has at most eight entries', (name, viewItem) => {
    for (const state of states) {
      const shown = shownIn(manifest, 'view/item/context', { ...state, view: prefix + name, viewItem });
      const entries = shown.filter(({ group = '' }) => !group.startsWith('inline'));
      expect(entries.length).toBeLessThanOrEqual(8);
      expect(new Set(entries.map(({ command, submenu }) => command ?? submenu)).size).toBe(entries.length);
    }
  });

  it('changes a connection only where one with an API key is in use', () => {
    for (const state of states) {
      const shown = commandsIn('view/title', { ...state, view });
      const ofServices = ['editConnection', 'removeConnection', 'setApiKey', 'forgetApiKey'];
      const isService = state['deploymentManager.connectionKind'] === 'service';
      const hasKey = state['deploymentManager.connection'] === 'ready';
      expect(shown.filter((command) => ofServices.includes(command))).toEqual(
        isService ? ofServices.filter((command) => hasKey || command !== 'forgetApiKey') : [],
      );
      expect(shown.includes('testConnection')).toBe(state['deploymentManager.connection'] !== 'none');
    }
  });

  it('offers to use the local service or to stop it, never both', () => {
    const either = ['startLocalService', 'stopLocalService'];
    for (const state of states) {
      const used = state['deploymentManager.usesLocalService'];
      const shown = commandsIn('view/title', { ...state, view });
      expect(shown.filter((command) => either.includes(command))).toEqual([either[used ? 1 : 0]]);
      const listed = shownIn(manifest, 'commandPalette', state).map(({ command = '' }) => command.replace(prefix, ''));
      expect(listed.filter((command) => either.includes(command))).toEqual([either[used ? 1 : 0]]);
    }
  });

  it('of a row opens only pages that the row has', () => {
    const pages = new Set(Object.values(pageCommands));
    for (const [ofView, tags] of rowStates()) {
      const all = commandsIn('view/item/context', { view: prefix + ofView, viewItem: tags });
      const shown = all.filter((command) => pages.has(command));
      const has = ofView === 'repositories' ? { page: 'openRepository' } : pageCommands;
      expect(shown, tags).toEqual(Object.entries(has).flatMap(([tag, id]) => (tags.includes(`;${tag};`) ? [id] : [])));
    }
  });

  it('of a revision copies its commit if it has one, and always shows what it changed', () => {
    const shown = (viewItem: string) => commandsIn('view/item/context', { view, viewItem });
    expect(shown('revision;')).toEqual(expect.arrayContaining(['showRevisionChanges', 'compareRevisions']));
    expect(shown('revision;')).not.toContain('copyCommit');
    expect(shown('revision;commit;')).toContain('copyCommit');
    expect(shown('deployment;followed;drift;')).not.toContain('copyCommit');
  });

  it('leads to the activity', () => {
    for (const state of states) expect(commandsIn('view/title', { ...state, view })).toContain('showActivity');
  });
});

describe('the palette', () => {
  const { commands, menus } = manifest.contributes;
  const items = menus['commandPalette'] ?? [];
  const hidden = new Set(items.filter(({ when }) => when === 'false').map(({ command = '' }) => command));

  it('hides only what another menu offers, and what a row is', () => {
    const offered = new Set(
      Object.entries(menus).flatMap(([menu, of]) =>
        menu === 'commandPalette' ? [] : of.map(({ command }) => command),
      ),
    );
    // The last row of a list that has more.
    expect([...hidden].filter((id) => !offered.has(id))).toEqual([`${prefix}loadMore`]);
  });

  it('lists a command with a condition in some windows, and not in others', () => {
    const states = windowStates();
    const listed = commands.filter(({ command }) => !hidden.has(command));
    const conditions = listed.flatMap(({ command, enablement }) => {
      const when = items.find((item) => item.command === command)?.when;
      return [enablement, when].flatMap((condition) =>
        condition === undefined ? [] : [[command, condition] as const],
      );
    });
    const ids = conditions.map(([command]) => command.slice(prefix.length));
    expect(ids.toSorted().join(' ')).toBe(
      'changeDeployment chooseWorkspaceDeployment clearFilters compareFile createConfigFile deleteDeployment ' +
        'deployAgain deployCurrentRepository deployFolder editConnection filterLog forgetApiKey loadOlderLines ' +
        'openServicePage refresh removeAgent removeConnection setApiKey showApplicationLog showBuildLog ' +
        'showChangesSinceLive startLocalService stopFollowing stopLocalService',
    );
    const isAlways =
      (expected: boolean) =>
      ([, condition]: readonly [string, string]) =>
        states.every((keys) => holds(condition, keys) === expected);
    expect([conditions.filter(isAlways(true)), conditions.filter(isAlways(false))]).toEqual([[], []]);
  });

  it('enables what runs git only where a folder is open in which git can run', () => {
    const asking = commands.filter(({ enablement }) => enablement !== undefined && enablement !== 'isWorkspaceTrusted');
    const ids = asking.map(({ command }) => command.slice(prefix.length));
    expect(ids.toSorted().join(' ')).toBe(
      'chooseWorkspaceDeployment createConfigFile deployApplication deployCurrentRepository deployFolder ' +
        'deployThisFolder showChangesSinceLive',
    );
    const canRun = /^isWorkspaceTrusted && !virtualWorkspace && workspaceFolderCount != 0(?: && |$)/;
    expect(asking.filter(({ enablement = '' }) => !canRun.test(enablement))).toEqual([]);
  });

  it('lists no title that means "this"', () => {
    const ofMenus = commands.filter(({ title }) => /\bThis\b/.test(textOf(title))).map(({ command }) => command);
    expect(ofMenus.length).toBeGreaterThan(0);
    expect(ofMenus.filter((command) => !hidden.has(command))).toEqual([]);
  });
});

describe('what only some services can do', () => {
  const { commands, menus } = manifest.contributes;
  const connected = windowStates().find((keys) => keys[`${prefix}connection`] === 'ready');
  const withCapabilities = (names: readonly string[]): ContextKeys => ({
    ...connected,
    [`${prefix}capabilities`]: names.join(' '),
  });
  const folder = { resourceScheme: 'file', explorerResourceIsFolder: true };
  const isOffered = (command: string, names: readonly string[]): boolean => {
    const state = withCapabilities(names);
    const id = prefix + command;
    if (commands.some((each) => each.command === id && !holds(each.enablement, state))) return false;
    const inExplorer = menus['explorer/context']?.some(
      (item) => item.command === id && holds(item.when, { ...state, ...folder }),
    );
    const inPalette = menus['commandPalette']?.find((item) => item.command === id) ?? { when: 'true' };
    return [
      inExplorer === true || holds(inPalette.when, state) ? [command] : [],
      ...viewIds.map((view) => commandsIn('view/title', { ...state, view })),
      ...rowStates().map(([of, viewItem]) =>
        commandsIn('view/item/context', { ...state, view: prefix + of, viewItem }),
      ),
    ].some((shown) => shown.includes(command));
  };

  it.each(Object.entries(capabilityCommands))('is offered only where the service can: %s', (command, capability) => {
    const others = flavors.local.capabilities.filter((other) => other !== capability);
    expect([isOffered(command, [capability]), isOffered(command, others), isOffered(command, [])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is all that asks for a capability', () => {
    const asking = Object.values(menus)
      .flat()
      .flatMap(({ command, when = '' }) => (/capabilities =~ \/\\b\w+\\b\//.test(when) ? (command ?? []) : []));
    const known = new Set(Object.keys(capabilityCommands).map((command) => prefix + command));
    expect(asking.filter((command) => !known.has(command))).toEqual([]);
  });
});

/** The commands beyond the document, and what a service must be able to do for them. */
const capabilityCommands: Readonly<Record<string, Capability>> = {
  showBuildLog: 'logs',
  showApplicationLog: 'logs',
  deployAgain: 'redeploy',
  rollBack: 'redeploy',
  stopBuild: 'interrupt',
  changeDeployment: 'update',
  deleteDeployment: 'delete',
  deployFolder: 'upload',
  deployThisFolder: 'upload',
  editListener: 'listenerEdit',
  deleteListener: 'listenerEdit',
};

const pageCommands = {
  application: 'openApplication',
  repository: 'openRepository',
  page: 'openServicePage',
  commitPage: 'openCommit',
};

const everything = flavors.local.capabilities.join(' ');

/** The values that our context keys and the editor's can have together. */
function windowStates(): readonly ContextKeys[] {
  const connections = [
    { connection: 'none', connectionKind: false },
    { connection: 'keyMissing', connectionKind: 'service' },
    { connection: 'ready', connectionKind: 'service', servicePages: true },
    { connection: 'ready', connectionKind: 'local', usesLocalService: true, capabilities: everything },
    { connection: 'ready', connectionKind: 'service', capabilities: everything, servicePages: true },
    { connection: 'ready', connectionKind: 'local', usesLocalService: false },
  ];
  const filters = [{ filtered: false }, { filtered: 'deployments' }, { filtered: 'revisions' }];
  const log = { resourceScheme: 'deployment-manager', resourceExtname: '.log' };
  const windows = [
    { isWorkspaceTrusted: true, workspaceFolderCount: 1, 'config.deploymentManager.connections': "'[]'" },
    {
      ...log,
      isWorkspaceTrusted: true,
      workspaceFolderCount: 1,
      [`${prefix}following`]: true,
      [`${prefix}hasAgents`]: true,
    },
    { isWorkspaceTrusted: false, workspaceFolderCount: 1 },
    { isWorkspaceTrusted: true, virtualWorkspace: true, workspaceFolderCount: 1 },
    { isWorkspaceTrusted: true, workspaceFolderCount: 0 },
  ];
  const ours = connections.flatMap((connection) => filters.map((filter) => ({ ...connection, ...filter })));
  return ours.flatMap((keys) => {
    const named = Object.fromEntries(Object.entries(keys).map(([key, value]) => [prefix + key, value]));
    return windows.map((window) => ({ ...window, ...named }));
  });
}

/** The tags that rows of each view can have together. */
function rowStates(): readonly (readonly [view: string, tags: string])[] {
  const subsets = ['', 'application;'].flatMap((set) =>
    ['', 'repository;'].flatMap((more) => [set + more, `${set + more}page;`]),
  );
  const deployments = ['followed', 'notFollowed'].flatMap((follow) =>
    [...subsets, 'application;repository;page;buildLog;applicationLog;deployAgain;changeable;'].flatMap((set) =>
      ['drift;', 'drift;alternative;', 'noDrift;', 'noDrift;alternative;'].map(
        (drift) => ['deployments', `deployment;${follow};${set}${drift}`] as const,
      ),
    ),
  );
  return [
    ...deployments,
    ['deployments', 'revision;'],
    ['deployments', 'revision;commit;'],
    ['deployments', 'revision;commit;commitPage;'],
    ...['deployAgain;', 'rollBack;', 'stopBuild;'].map(
      (action) => ['deployments', `revision;commit;commitPage;buildLog;applicationLog;${action}`] as const,
    ),
    ['deployments', 'workspace;'],
    ...['deployments', 'listeners', 'repositories', 'agents'].map((view) => [view, 'failure;'] as const),
    ['listeners', 'listener;'],
    ['repositories', 'installation;'],
    ['repositories', 'repository;'],
    ['repositories', 'repository;page;'],
    ['agents', 'agent;'],
    ['agents', 'agentConnection;'],
  ];
}
