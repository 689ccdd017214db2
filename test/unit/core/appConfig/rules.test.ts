import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAppConfig, parseAppConfig } from '../../../../src/core/appConfig/appConfig.ts';

const graphs = { agent: './src/agent.py:graph' };
const good = { dependencies: ['.'], graphs };

/** The findings about a text, each as severity, the keys that lead to it, the marked text and the message. */
function findings(text: string, file = 'langgraph.json'): string[] {
  return checkAppConfig(text, file).findings.map(
    ({ severity, path: keys, message, start, end }) =>
      `${severity} ${keys.join('.')} [${text.slice(start, end)}] ${message}`,
  );
}

const findingsWith = (more: object): string[] => findings(JSON.stringify({ ...good, ...more }));

describe('the findings about an application config', () => {
  it('are all found in one pass, in JSON and in YAML, each at its place', () => {
    const expected = [
      'error graphs.b [./b.py] The graph "b" must be written as "./path/file.py:attribute".',
      'error graphs.c.path [./c.py] The graph "c" must be written as "./path/file.py:attribute".',
      'error env [7] "env" must be the path of a dotenv file, a list of names or a map of names to values.',
      'warning python_version [2.7] This version is unknown; write major and minor, 3.11 or newer, such as "3.13".',
      'warning dependecies [dependecies] "dependecies" isn\'t a known key here; did you mean "dependencies"?',
    ];
    const yaml = [
      'graphs:',
      '  a: ./a.py:graph',
      '  b: ./b.py',
      '  c: { path: ./c.py }',
      'env: 7',
      'python_version: "2.7"',
      'dependecies: [.]',
    ];
    const content = {
      graphs: { a: './a.py:graph', b: './b.py', c: { path: './c.py' } },
      env: 7,
      python_version: '2.7',
      dependecies: ['.'],
    };
    const withoutQuotes = (found: readonly string[]): string[] =>
      found.map((words) => words.replace(/\["(.*?)"\]/, '[$1]'));
    expect(withoutQuotes(findings(yaml.join('\n'), 'graph.yaml'))).toEqual(expected);
    expect(withoutQuotes(findings(JSON.stringify(content, undefined, 2)))).toEqual(expected);
  });

  it.each([
    [{ python_version: '2.7' }, 'This version is unknown; write major and minor, 3.11 or newer, such as "3.13".'],
    [{ python_version: '3.12.1' }, 'This version is unknown; write major and minor, 3.11 or newer, such as "3.13".'],
    [{ python_version: 3.12 }, 'This must be text in quotes.'],
    [{ node_version: '18' }, 'This version is unknown; write only the major one, 20 or newer, such as "22".'],
    [{ node_version: '20.1' }, 'This version is unknown; write only the major one, 20 or newer, such as "22".'],
    [{ auth: { path: './auth.py' } }, 'This must be written as "./path/file.py:attribute".'],
    [{ http: { app: './app.py' } }, 'This must be written as "./path/file.py:attribute".'],
    [{ encryption: { path: './keys.py' } }, 'This must be written as "./path/file.py:attribute".'],
    [{ image_distro: 'alpine' }, 'This value is unknown; the known ones are debian, wolfi, bookworm.'],
    [{ pip_installer: 'conda' }, 'This value is unknown; the known ones are auto, pip, uv.'],
    [{ pip_instaler: 'uv' }, '"pip_instaler" isn\'t a known key here; did you mean "pip_installer"?'],
    [{ http: { disable_thread: true } }, '"disable_thread" isn\'t a known key here; did you mean "disable_threads"?'],
    [{ http: { cors: { alow_origins: [] } } }, '"alow_origins" isn\'t a known key here; did you mean "allow_origins"?'],
    [{ graphs: { a: { path: './a.py:g', descripton: '' } } }, 'did you mean "description"?'],
    [{ quite_another: 1 }, '"quite_another" isn\'t a known key here.'],
    [{ dependencies: '.' }, 'This must be a list.'],
    [{ dependencies: [] }, '"dependencies" is missing; list the packages to install there, such as ["."].'],
    [{ store: { index: { dims: '3' } } }, 'This must be a number.'],
    [{ http: { disable_ui: 'yes' } }, 'This must be true or false.'],
    [{ checkpointer: 'memory' }, 'This must have keys and values.'],
  ])('warn of %j, and refuse nothing', (more, message) => {
    const found = findingsWith(more);
    expect(found).toEqual([expect.stringMatching(/^warning /)]);
    expect(found[0]).toContain(message);
    const config = parseAppConfig(JSON.stringify({ ...good, ...more }), 'langgraph.json');
    expect(config).toMatchObject({ kind: 'config', warnings: [expect.stringContaining(message)] });
  });

  it.each([
    { python_version: '3.11' },
    { python_version: '3.14' },
    { python_version: '3.12-bookworm' },
    { python_version: null },
    { node_version: '22' },
    { graphs: { a: './a.ts:graph' }, dependencies: undefined },
    { dependencies: undefined, source: { kind: 'uv', root: '.' } },
    { env: null, store: null, http: null },
    { env: { anything: 'goes' } },
    { $schema: 'https://example.com/schema.json', _note: 'mine', '//': 'mine' },
    { auth: { path: './auth.py:auth', openapi: { security: [] } }, http: { app: 'app.main:app' } },
    { ui: { agent: './ui.tsx' }, ui_config: { shared: [] }, keep_pkg_tools: ['pip'] },
    { webhooks: { headers: { 'x-key': '1' }, url: { allowed_ports: [443] } } },
  ])('are none for %j', (more) => {
    expect(findingsWith(more)).toEqual([]);
  });

  it('are none for the configs of public repositories, except missing packages', () => {
    const file = path.join(import.meta.dirname, '../../../fixtures/publicApplications.json');
    const applications = JSON.parse(readFileSync(file, 'utf8')) as readonly { content: object }[];
    const found = applications.flatMap(({ content }) => findings(JSON.stringify(content)));
    expect(found.filter((words) => !words.includes('"dependencies" is missing'))).toEqual([]);
  });

  it('mark the place where a text stops being JSON or YAML', () => {
    expect(findings('{ "graphs": }')).toEqual(['error  [}] Not valid JSON: expected a value.']);
    expect(findings('graphs: "x', 'graph.yaml')).toEqual([
      expect.stringMatching(/^error {2}\[.*\] Not valid YAML: a closing quote, bracket, colon or comma is missing\.$/),
    ]);
  });

  it('are at most 100', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, index]));
    expect(findingsWith(many)).toHaveLength(100);
    expect(findingsWith({ graphs: many })).toHaveLength(100);
  });

  it('never quote a value, and never throw', () => {
    const canary = 'canary-5f1e';
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(good), 'env', 'auth', 'http'), (value, key) => {
        expect(() => findingsWith({ [key]: value })).not.toThrow();
      }),
    );
    for (const key of ['python_version', 'image_distro', 'pip_installer', 'dependencies', 'store', 'env']) {
      const { findings: found } = checkAppConfig(
        JSON.stringify({ ...good, [key]: { a: canary }, env: [canary, 1] }),
        'a.json',
      );
      expect(found.map(({ message }) => message).join()).not.toContain(canary);
    }
  });
});
