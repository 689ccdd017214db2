import { describe, expect, it } from 'vitest';
import { checkAppConfig } from '../../../../src/core/appConfig/appConfig.ts';

const content = {
  dependencies: ['.', './lib'],
  graphs: { agent: './src/agent.py:graph', chat: { path: 'chat.main:make', description: 'Says "hello".' } },
  env: { NAME: 'a b', EMPTY: '' },
  python_version: '3.12',
  http: { disable_mcp: true, cors: { allow_origins: ['*'], max_age: 600 } },
};
const text = JSON.stringify(content, undefined, 2);
const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(
  ({ index, 0: { length } }) => [index, index + length] as const,
);
const isInString = (offset: number): boolean => strings.some(([start, end]) => start < offset && offset < end);
const offsets = Array.from({ length: text.length }, (_, offset) => offset);
const yaml = `dependencies: ["."]
graphs:
  agent: ./src/agent.py:graph
  chat:
    path: chat.main:make
env: .env
`;

/** Where the first and only finding is: text that can't be read has no other. */
function firstMistake(damaged: string, path = 'langgraph.json'): number | undefined {
  const [first, ...others] = checkAppConfig(damaged, path).findings;
  expect(others).toEqual([]);
  expect(first?.isSyntax).toBe(true);
  return first?.start;
}

const inserted = (offset: number, more: string): string => text.slice(0, offset) + more + text.slice(offset);
const replaced = (offset: number, more: string): string => text.slice(0, offset) + more + text.slice(offset + 1);

describe('the first mistake of a damaged text', () => {
  it('is where the text was cut, or the word that was cut', () => {
    for (const offset of offsets) {
      const cut = text.slice(0, offset);
      const [word = ''] = isInString(offset) ? [] : (/\b(?:t|tr|tru)$/.exec(cut) ?? []);
      // A cut escape is wrong from its backslash on.
      const escape = isInString(offset) && cut.endsWith('\\') ? 1 : 0;
      expect(firstMistake(cut), cut).toBe(offset - word.length - escape);
    }
  });

  // Another bracket may close what is around it.
  it.each([',', ':', '{', ']'])('is the second of doubled %s', (mark) => {
    for (const offset of offsets.filter((each) => text[each] === mark && !isInString(each)))
      expect(firstMistake(inserted(offset, mark))).toBe(offset + 1);
  });

  it('is behind the empty text that a doubled quote makes', () => {
    for (const [start, end] of strings.filter(([from, to]) => to - from > 2)) {
      expect(firstMistake(inserted(start, '"'))).toBe(start + 2);
      expect(firstMistake(inserted(end, '"'))).toBe(end);
    }
  });

  it.each(["'", '“', '`'])('is the first %s around a text', (quote) => {
    for (const [start, end] of strings) {
      const quoted = text.slice(0, start) + quote + text.slice(start + 1, end - 1) + quote + text.slice(end);
      expect(firstMistake(quoted)).toBe(start);
    }
  });

  it('is the end of the line of a text without its closing quote', () => {
    for (const [, end] of strings.slice(0, -1)) {
      const damaged = replaced(end - 1, '');
      // The next quote closes it, if there is one on the line.
      const [line = ''] = damaged.slice(end - 1).split('\n', 1);
      if (!line.includes('"')) expect(firstMistake(damaged)).toBe(end - 1 + line.length);
    }
  });

  it.each([
    ['a tab', yaml.replace('  agent', '\tagent'), 3],
    ['an open bracket', yaml.replace('"."]', '"."'), 2],
    ['another indentation', yaml.replace('  chat', ' chat'), 4],
    ['a doubled colon', yaml.replace('agent: ', 'agent: b: '), 3],
    ['another document', yaml.replace('env', '---\nenv'), 6],
    ['a key without a colon', yaml.replace('env: .env', 'env'), 6],
  ])('is in the line of %s in YAML', (_, damaged, line) => {
    const offset = firstMistake(damaged, 'graph.yaml') ?? 0;
    expect(damaged.slice(0, offset).split('\n')).toHaveLength(line);
  });

  it('is said with what to do, and never quotes the text', () => {
    const messages = [text.slice(0, -1), text.replace(',', ''), yaml.replace('"."]', '"."')].map(
      (damaged, index) => checkAppConfig(damaged, index < 2 ? 'a.json' : 'a.yaml').findings[0]?.message,
    );
    expect(messages).toEqual([
      'Not valid JSON: expected a comma or "}".',
      'Not valid JSON: expected a comma or "]".',
      "Not valid YAML: the indentation doesn't match, or a bracket above isn't closed.",
    ]);
  });
});
