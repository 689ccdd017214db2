import { describe, expect, it } from 'vitest';
import { numberSettings } from '../../src/state/numberSettings.ts';
import { readManifest, readTexts, settingsOf, textOf } from '../support/manifest.ts';
import { isNode, listOf, literalText, parseSourceFile, readSourceFiles } from '../support/sourceFiles.ts';
import type { SourceFile, SyntaxNode } from '../support/sourceFiles.ts';

const groups = readManifest().contributes.configuration;
const properties = settingsOf(readManifest());
const texts = readTexts();
const files = readSourceFiles('src');
const reads = files.flatMap(settingsIn);
const ofPersonOnly = /^deploymentManager\.(?:connections$|(?:network|secrets|localService)\.)/;

describe('settings', () => {
  it('that say where keys and data go are decided by no repository', () => {
    const ofPerson = Object.entries(properties).filter(([name]) => ofPersonOnly.test(name));
    expect(ofPerson.length).toBeGreaterThan(4);
    for (const [name, { scope }] of ofPerson) expect(['application', 'machine'], name).toContain(scope);
  });

  it('are otherwise for a resource exactly if they are read for one', () => {
    const ofResource = new Set(reads.filter((read) => read.isOfResource).map(({ name }) => name));
    const others = Object.entries(properties).filter(([name]) => !ofPersonOnly.test(name));
    for (const [name, { scope }] of others) expect(scope, name).toBe(ofResource.has(name) ? 'resource' : 'window');
  });

  it('have the defaults that the code falls back to', () => {
    const ours = reads.filter(({ name }) => name in properties);
    const fallbacks = ours.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [{ name, fallback }]));
    expect(fallbacks.length).toBeGreaterThan(1);
    for (const { name, fallback } of fallbacks) expect(properties[name]?.default, name).toBe(fallback);
    expect(properties['deploymentManager.follow.workspace']?.default).toBe(true);
    expect(properties['deploymentManager.network.transport']?.default).toBe('auto');
    expect(properties['deploymentManager.git.remote']?.default).toBe('origin');
  });

  it('reserve names of variables, each once', () => {
    const reserved = properties['deploymentManager.secrets.reservedNames']?.default as readonly string[];
    expect(reserved).toEqual(expect.arrayContaining(['PATH', 'PORT', 'DATABASE_URI', 'LANGSMITH_API_KEY']));
    expect(reserved.filter((name) => !/^[A-Z]+(?:_[A-Z\d]+)*$/.test(name))).toEqual([]);
    expect(new Set(reserved).size).toBe(reserved.length);
  });

  it('that are numbers have the bounds and the default of the code', () => {
    const numbers = Object.entries(properties)
      .filter(([, { type }]) => type === 'number' || type === 'integer')
      .map(([name, { minimum, maximum, default: otherwise }]) => [
        name.replace('deploymentManager.', ''),
        { default: otherwise, minimum, maximum },
      ]);
    expect(Object.fromEntries(numbers)).toEqual(numberSettings);
  });

  it('are in titled groups, in the order of the manifest', () => {
    const titles = groups.map(({ title }) => textOf(title));
    expect(titles.filter((title) => !/^[A-Z][a-z]+( [A-Z][a-z]+)*$/.test(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThan(1);
    expect(groups.map(({ order }) => order)).toEqual(groups.map((_, index) => index + 1));
    for (const { title, properties: settings } of groups) {
      const orders = Object.values(settings).map(({ order }) => order);
      expect(orders, title).toEqual(orders.map((_, index) => index + 1));
      // A group for each subject, so that no setting hides among others.
      expect(orders.length, title).toBeLessThanOrEqual(5);
    }
  });

  it('cannot contradict each other within their bounds', () => {
    const { maximum: fastest } = numberSettings['follow.minIntervalSeconds'];
    const { minimum, maximum: slowest } = numberSettings['follow.maxIntervalSeconds'];
    expect(fastest).toBeLessThanOrEqual(minimum);
    expect(slowest).toBeLessThanOrEqual(numberSettings['follow.giveUpMinutes'].minimum * 60);
  });

  it('describe every field of a connection', () => {
    const fields = properties['deploymentManager.connections']?.items?.properties ?? {};
    expect(['kind', ...Object.keys(fields)]).toEqual(membersOf('ServiceConnection'));
    for (const [name, { markdownDescription }] of Object.entries(fields)) {
      expect(textOf(markdownDescription), name).toMatch(/^[A-Z].+\.$/);
    }
  });

  it('have descriptions, numbers have bounds that include their default, and choices are explained', () => {
    for (const [name, setting] of Object.entries(properties)) {
      expect(textOf(setting.markdownDescription), name).toMatch(/\.$/);
      if (setting.type === 'number' || setting.type === 'integer') {
        expect(setting.default, name).toBeGreaterThanOrEqual(setting.minimum ?? Number.POSITIVE_INFINITY);
        expect(setting.default, name).toBeLessThanOrEqual(setting.maximum ?? Number.NEGATIVE_INFINITY);
      }
      if (setting.enum !== undefined) {
        expect(setting.enum, name).toContain(setting.default);
        const described = (setting.markdownEnumDescriptions ?? []).map(textOf).filter((text) => text !== '');
        expect(described, name).toHaveLength(setting.enum.length);
      }
    }
  });

  it('offer only choices that the code knows', () => {
    const known = new Set(files.flatMap(({ nodes }) => nodes.map((node) => literalText(node))));
    const choices = Object.values(properties).flatMap((setting) => setting.enum ?? []);
    expect(choices.length).toBeGreaterThan(5);
    expect(choices.filter((choice) => !known.has(choice))).toEqual([]);
  });

  it('refer to settings that exist', () => {
    const referred = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/#([\w.]+)#/g)].map(([, id]) => id ?? ''),
    );
    expect(referred).not.toEqual([]);
    expect(referred.filter((id) => !(id in properties))).toEqual([]);
  });

  it('are exactly those that the code reads', () => {
    const read = new Set(reads.map(({ name }) => name));
    expect([...read].filter((name) => name.startsWith('deploymentManager.')).toSorted()).toEqual(
      Object.keys(properties).toSorted(),
    );
    // The editor's own settings, which are read but never written.
    expect([...read].filter((name) => !name.startsWith('deploymentManager.')).toSorted()).toEqual([
      'editor.cursorSurroundingLines',
      'editor.stickyScroll.enabled',
      'editor.stickyScroll.maxLineCount',
      'files.readonlyExclude',
      'files.readonlyInclude',
      'http.noProxy',
      'http.proxy',
      'http.proxyStrictSSL',
    ]);
  });

  it.each([
    ["vscode.workspace.getConfiguration('a').get('b.c', 1)", ['a.b.c']],
    [
      "const s = 'a'; const c = vscode.workspace.getConfiguration(s); c.get<string>('b'); c.inspect('d');",
      ['a.b', 'a.d'],
    ],
    ["vscode.workspace.getConfiguration('a', uri).update('b', 1)", ['a.b']],
    ["numberSetting('a.b')", ['deploymentManager.a.b']],
    ["map.get('b')", []],
  ])('are found in %s', (text, expected) => {
    expect(settingsIn(parseSourceFile('src/ui/a.ts', text)).map(({ name }) => name)).toEqual(expected);
  });
});

interface UsedSetting {
  readonly name: string;
  readonly isOfResource: boolean;
  /** What the code takes without one; undefined if that is no text. */
  readonly fallback?: string | undefined;
}

/** The settings that a file reads or writes. */
function settingsIn({ nodes }: SourceFile): readonly UsedSetting[] {
  const values = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator')
      .map(({ id, init }) => [(id as { name?: string }).name ?? '', init] as const),
  );
  const lookUp = (node: unknown): unknown =>
    isNode(node) && node.type === 'Identifier' ? (values.get(String(node['name'])) ?? node) : node;
  return nodes.flatMap((node): UsedSetting[] => {
    if (isNode(node['callee']) && node['callee']['name'] === 'numberSetting') {
      return [{ name: `deploymentManager.${literalText(listOf(node['arguments'])[0])}`, isOfResource: false }];
    }
    const member = calledMember(node);
    if (member === undefined || !['get', 'inspect', 'update', 'has'].includes(member.name)) return [];
    const call = lookUp(member.object);
    if (calledMember(call)?.name !== 'getConfiguration' || !isNode(call)) return [];
    const [section, resource] = listOf(call['arguments']);
    const name = lookUp(listOf(node['arguments'])[0]);
    // The parameter of `numberSetting`, whose calls are found themselves.
    if (isNode(name) && name['name'] === 'name') return [];
    const text = `${literalText(lookUp(section))}.${literalText(name) ?? 'something computed'}`;
    const fallback = member.name === 'get' ? literalText(listOf(node['arguments'])[1]) : undefined;
    return [{ name: text, isOfResource: resource !== undefined, fallback }];
  });
}

/** The names of the members of an interface of the code. */
function membersOf(type: string): readonly string[] {
  const declaration = files
    .flatMap(({ nodes }) => nodes)
    .find((node) => node.type === 'TSInterfaceDeclaration' && isNode(node['id']) && node['id']['name'] === type);
  const body = declaration?.['body'];
  return isNode(body) ? listOf(body['body']).map((member) => (member as { key: { name: string } }).key.name) : [];
}

function calledMember(node: unknown): { readonly name: string; readonly object: unknown } | undefined {
  if (!isNode(node) || node.type !== 'CallExpression') return undefined;
  const { callee } = node as SyntaxNode & { callee: SyntaxNode };
  return callee.type === 'MemberExpression'
    ? { name: String((callee['property'] as { name?: string }).name), object: callee['object'] }
    : undefined;
}
