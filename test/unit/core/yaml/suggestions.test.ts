import { describe, expect, it } from 'vitest';
import { appConfigSchema } from '../../../../src/core/appConfig/schema.ts';
import { fieldHelpAt, fieldSuggestions, type HelpedText } from '../../../../src/core/yaml/suggestions.ts';

function config(text: string, file: string): HelpedText {
  return { text, isYaml: file.endsWith('.yaml'), schema: appConfigSchema };
}

/** What is inserted at the mark `|` of a text. */
function suggested(marked: string, file: string): string[] {
  const offset = marked.indexOf('|');
  return fieldSuggestions(config(marked.replace('|', ''), file), offset).map(({ insert }) => insert);
}

describe('suggestions in an application config', () => {
  it.each([
    ['a.json', '{|}', '"graphs": '],
    ['a.json', '{ "graphs": {}, "py|', '"python_version": '],
    ['a.json', '{ "auth": { "|" }, "graphs": {} }', '"disable_studio_auth": '],
    ['a.json', '{ "http": { "cors": {| } } }', '"allow_origins": '],
    ['a.json', '{ "graphs": { "a": { "p|" } } }', '"path": '],
    ['a.json', '{ "pip_installer": |', '"uv"'],
    ['a.json', '{ "http": { "disable_mcp": | } }', 'true'],
    ['a.yaml', '|', 'graphs: '],
    ['a.yaml', 'graphs:\n  a: ./a.py:g\npyth|', 'python_version: '],
    ['a.yaml', 'http:\n  cors:\n    allow|', 'allow_origins: '],
    ['a.yaml', 'image_distro: |', 'wolfi'],
    ['a.yaml', 'python_version: |', '"3.12"'],
  ])('in %s at %s have %s', (file, marked, expected) => {
    expect(suggested(marked, file)).toContain(expected);
  });

  it.each([
    ['a.json', '{ "graphs": { | } }'],
    ['a.json', '{ "dependencies": [|] }'],
    ['a.json', '|'],
    ['a.json', '{ "graphs": { "a": | } }'],
    ['a.yaml', 'graphs:\n  |'],
    ['a.yaml', 'env:\n  KEY: |'],
  ])('in %s at %s are none', (file, marked) => {
    expect(suggested(marked, file)).toEqual([]);
  });

  it('leave out the keys of the same object, also those below the cursor', () => {
    const json = suggested('{ "graphs": { "env": 1 }, |"dependencies": [] }', 'a.json');
    expect(json).not.toContain('"graphs": ');
    expect(json).not.toContain('"dependencies": ');
    expect(json).toContain('"env": ');
    expect(suggested('graphs:\n  a: b\n|\nenv: .env', 'a.yaml')).not.toContain('env: ');
  });
});

it('suggestions of a key bring its usual value with places to fill in', () => {
  const snippetOf = (text: string, file: string, key: string) =>
    fieldSuggestions(config(text, file), 1).find(({ label }) => label === key)?.snippet;
  expect(snippetOf('{}', 'a.json', 'graphs')).toBe('"graphs": {\n  "${1:agent}": "./${2:src/agent.py}:${3:graph}"\n}');
  expect(snippetOf('\n', 'a.yaml', 'auth')).toBe('auth:\n  path: ./${1:src/auth.py}:${2:auth}');
  expect(snippetOf('\n', 'a.yaml', 'graphs')).toBe('graphs:\n  ${1:agent}: ./${2:src/agent.py}:${3:graph}');
  expect(snippetOf('{}', 'a.json', 'env')).toBeUndefined();
});

it.each([
  ['a.json', '{ "http": { "app": "a:b" } }', '"app"', 'Your own web application'],
  ['a.yaml', 'http:\n  app: a:b', 'app', 'Your own web application'],
  ['a.json', '{ "env": { "http": 1 } }', '"http"', undefined],
  ['a.json', '{ "note": 1 }', '"note"', undefined],
])('help in %s for %s: %s', (file, text, key, expected) => {
  const help = fieldHelpAt(config(text, file), text.indexOf(key) + key.length)?.help?.();
  if (expected === undefined) expect(help).toBeUndefined();
  else expect(help).toContain(expected);
});
