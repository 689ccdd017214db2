import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNode, listOf, literalText, parseSourceFile, readSourceFiles, root } from '../support/sourceFiles.ts';
import type { SourceFile } from '../support/sourceFiles.ts';

describe('user-visible texts', () => {
  it('are string literals that translators can find, with a value for every placeholder', () => {
    const files = readSourceFiles('src');
    const calls = files.flatMap((file) => translations(file).map((call) => ({ path: file.path, ...call })));
    expect(calls.length).toBeGreaterThan(200);
    expect(calls.flatMap(problemIn)).toEqual([]);
  });

  it.each([
    ["l10n.t('Plain')", []],
    ["vscode.l10n.t('{0} of {1}', 1, 2)", []],
    ["vscode.l10n.t({ message: 'Plain', comment: ['Why'] })", []],
    ["l10n.t('{0} of {1}', ...both)", []],
    ['l10n.t(text)', ['a.ts: the text is computed']],
    ['l10n.t(`Hello ${name}`)', ['a.ts: the text is computed']],
    ["l10n.t('Hello ' + name)", ['a.ts: the text is computed']],
    ["vscode.l10n.t('{0} of {1}', 1)", ['a.ts: "{0} of {1}" has 2 places and 1 values']],
    ["l10n.t('Plain', 1)", ['a.ts: "Plain" has 0 places and 1 values']],
  ])('are judged: %s', (text, expected) => {
    const calls = translations(parseSourceFile('a.ts', text)).map((call) => ({ path: 'a.ts', ...call }));
    expect(calls.flatMap(problemIn)).toEqual(expected);
  });
});

describe('comments', () => {
  it('name only documents of the repository', () => {
    const files = readSourceFiles('src');
    expect(files.flatMap((file) => missingDocuments(file.text).map((name) => `${file.path}: ${name}`))).toEqual([]);
  });

  it.each([
    ['/** See nowhere.md, section 3. */', ['nowhere.md']],
    ['/**\n * As nowhere.md says.\n */', ['nowhere.md']],
    ['const a = 1; // nowhere.md', ['nowhere.md']],
    ['// README.md says how.', []],
    ["const name = 'nowhere.md';", []],
  ])('are judged: %j', (text, expected) => {
    expect(missingDocuments(text)).toEqual(expected);
  });
});

/** The documents in the comments of a file that are not in the root of the repository. */
function missingDocuments(text: string): readonly string[] {
  const comments = [...text.matchAll(/(?:\/\/|^\s*\/?\*).*$/gm)].map(([comment]) => comment);
  const named = comments.flatMap((comment) => comment.match(/[\w-]+\.md\b/g) ?? []);
  return named.filter((name) => !existsSync(path.join(root, name)));
}

interface Translation {
  readonly text: string | undefined;
  /** Undefined where a list is spread over the places. */
  readonly values: number | undefined;
}

function translations({ nodes }: SourceFile): readonly Translation[] {
  return nodes.flatMap((node) => {
    const { callee } = node;
    if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return [];
    const object = callee['object'] as { name?: string; property?: { name?: string } };
    const isOurs = (callee['property'] as { name?: string }).name === 't';
    if (!isOurs || (object.name ?? object.property?.name) !== 'l10n') return [];
    const [first, ...values] = listOf(node['arguments']);
    const isSpread = values.some((value) => isNode(value) && value.type === 'SpreadElement');
    return [{ text: textOf(first), values: isSpread ? undefined : values.length }];
  });
}

/** The text itself or, with notes for translators, the `message` of an object. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== 'ObjectExpression') return literalText(node);
  const properties = listOf(node['properties']) as { key: { name?: string }; value: unknown }[];
  return literalText(properties.find(({ key }) => key.name === 'message')?.value);
}

function problemIn({ path, text, values }: Translation & { readonly path: string }): readonly string[] {
  if (text === undefined) return [`${path}: the text is computed`];
  const places = new Set(text.match(/\{\d+\}/g)).size;
  return values === undefined || places === values
    ? []
    : [`${path}: "${text}" has ${places} places and ${values} values`];
}
