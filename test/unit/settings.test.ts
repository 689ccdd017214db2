import { describe, expect, it } from 'vitest';
import { numberSettings } from '../../src/state/numberSettings.ts';
import { readManifest, readTexts, settingsOf, textOf } from '../support/manifest.ts';
import { isNode, listOf, literalText, parseSourceFile, readSourceFiles } from '../support/sourceFiles.ts';
import type { SourceFile, SyntaxNode } from '../support/sourceFiles.ts';

const groups = readManifest().contributes.configuration;
const properties = settingsOf(readManifest());
const texts = readTexts();

describe('settings', () => {
  it('have the names, defaults and scopes that other things rely on', () => {
    const table = Object.entries(properties).map(([name, setting]) => [
      name.replace('deploymentManager.', ''),
      [setting.default, setting.scope],
    ]);
    expect(Object.fromEntries(table)).toEqual({
      connections: [[], 'application'],
      'network.transport': ['auto', 'application'],
      'network.timeoutSeconds': [expect.any(Number), 'application'],
      pageSize: [expect.any(Number), 'window'],
      'follow.minIntervalSeconds': [expect.any(Number), 'window'],
      'follow.maxIntervalSeconds': [expect.any(Number), 'window'],
      'follow.giveUpMinutes': [expect.any(Number), 'window'],
      'follow.workspace': [true, 'window'],
      'follow.notify': ['all', 'window'],
      'appConfig.patterns': [
        ['**/langgraph.json', '**/graph.{json,yaml,yml}', '**/graph_config.{json,yaml,yml}'],
        'resource',
      ],
      'git.remote': ['origin', 'resource'],
      'secrets.reservedNames': [expect.any(Array), 'application'],
      'localService.stepMilliseconds': [expect.any(Number), 'machine'],
      'localService.dataFolder': ['', 'machine'],
    });
    expect(Object.keys(properties).every((name) => name.startsWith('deploymentManager.'))).toBe(true);
  });

  it('reserve the names that the public service sets itself', () => {
    expect(properties['deploymentManager.secrets.reservedNames']?.default).toEqual(
      (
        'PATH PORT MOUNT_PREFIX DATABASE_URI POSTGRES_URI POSTGRES_PASSWORD REDIS_URI LOG_JSON LOG_DICT_TRACEBACKS ' +
        'LANGGRAPH_AUTH_TYPE LANGGRAPH_CLOUD_LICENSE_KEY LANGSMITH_API_KEY LANGSMITH_ENDPOINT LANGSMITH_TENANT_ID ' +
        'LANGSMITH_PROJECT LANGSMITH_DEPLOYMENT_NAME LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME ' +
        'LANGSMITH_HOST_REVISION_ID LANGSMITH_LANGGRAPH_GIT_REPO LANGSMITH_LANGGRAPH_GIT_REF ' +
        'LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_GIT_REPO_PATH LANGSMITH_CONTROL_PLANE_API_KEY LANGCHAIN_API_KEY ' +
        'LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2'
      ).split(' '),
    );
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
    expect(Object.keys(fields)).toEqual([
      'name',
      'baseUrl',
      'flavor',
      'codeHost',
      'authHeader',
      'authPrefix',
      'headers',
      'allowPlainHttp',
      'proxy',
      'caFile',
      'clientCertFile',
      'clientKeyFile',
    ]);
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
    const choices = (name: string) => properties[`deploymentManager.${name}`]?.enum;
    expect(choices('network.transport')).toEqual(['auto', 'undici', 'editor']);
    expect(choices('follow.notify')).toEqual(['all', 'failures', 'never']);
  });

  it('refer to settings that exist', () => {
    const referred = Object.values(texts).flatMap((text) =>
      [...text.matchAll(/#([\w.]+)#/g)].map(([, id]) => id ?? ''),
    );
    expect(referred).not.toEqual([]);
    expect(referred.filter((id) => !(id in properties))).toEqual([]);
  });

  it('are exactly those that the code reads', () => {
    const read = new Set(readSourceFiles('src').flatMap(settingsIn));
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
    expect(settingsIn(parseSourceFile('src/ui/a.ts', text))).toEqual(expected);
  });
});

/** The names of the settings that a file reads or writes. */
function settingsIn({ nodes }: SourceFile): readonly string[] {
  const values = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator')
      .map(({ id, init }) => [(id as { name?: string }).name ?? '', init] as const),
  );
  const lookUp = (node: unknown): unknown =>
    isNode(node) && node.type === 'Identifier' ? (values.get(String(node['name'])) ?? node) : node;
  const sectionOf = (node: unknown): string | undefined => {
    const call = lookUp(node);
    return calledMember(call)?.name === 'getConfiguration' && isNode(call)
      ? literalText(lookUp(listOf(call['arguments'])[0]))
      : undefined;
  };
  return nodes.flatMap((node) => {
    if (isNode(node['callee']) && node['callee']['name'] === 'numberSetting') {
      return [`deploymentManager.${literalText(listOf(node['arguments'])[0])}`];
    }
    const member = calledMember(node);
    if (member === undefined || !['get', 'inspect', 'update', 'has'].includes(member.name)) return [];
    const section = sectionOf(member.object);
    const name = lookUp(listOf(node['arguments'])[0]);
    // The parameter of `numberSetting`, whose calls are found themselves.
    if (section === undefined || (isNode(name) && name['name'] === 'name')) return [];
    return [`${section}.${literalText(name) ?? 'something computed'}`];
  });
}

function calledMember(node: unknown): { readonly name: string; readonly object: unknown } | undefined {
  if (!isNode(node) || node.type !== 'CallExpression') return undefined;
  const { callee } = node as SyntaxNode & { callee: SyntaxNode };
  return callee.type === 'MemberExpression'
    ? { name: String((callee['property'] as { name?: string }).name), object: callee['object'] }
    : undefined;
}
