import { describe, expect, it } from 'vitest';
import { findingsIn } from '../../../../src/core/spec/rules.ts';
import { longestSpecText, readSpecText } from '../../../../src/core/yaml/document.ts';

const read = (text: string) => {
  const document = readSpecText(text);
  return document.kind === 'readable'
    ? document.spec
    : document.findings.map((p) => `${p.line}:${p.column} ${p.message}`);
};

describe('a value, read like Kubernetes', () => {
  it.each<[string, unknown]>([
    ['0644', 420],
    ['0o644', 420],
    ['0x10', 16],
    ['08', 8],
    ['yes', 'yes'],
    ['on', 'on'],
    ['1:30', '1:30'],
    ['2020-01-01', '2020-01-01'],
    ['"0644"', '0644'],
    ['1_000', '1_000'],
    ['true', true],
    ['~', null],
    ['.5', 0.5],
    ['1e400', Number.POSITIVE_INFINITY],
    ['<<', '<<'],
  ])('%s is %j', (source, value) => {
    expect(read(`key: ${source}`)).toEqual({ key: value });
  });

  it('keeps keys that look like numbers as they were written', () => {
    expect(read('labels: {0644: a, 1.50: b, true: c}')).toEqual({ labels: { '0644': 'a', '1.50': 'b', true: 'c' } });
  });
});

it.each(['', '\n', '# only a comment\n', '---\n', 'null'])('%j is an empty spec', (text) => {
  expect(read(text)).toEqual({});
});

it('replaces aliases with their values', () => {
  expect(read('cpu: &c 2\ncpu_limit: *c\n')).toEqual({ cpu: 2, cpu_limit: 2 });
});

describe('an unreadable text is located by line and column', () => {
  it.each<[string, string, string]>([
    ['a key twice', 'cpu: 1\nmemory_mb: 2\ncpu: 3\n', '3:1 The key "cpu" is used twice. Remove one.'],
    [
      'a key twice deep inside',
      'volumes:\n  - name: a\n    name: b\n',
      '3:5 The key "name" is used twice. Remove one.',
    ],
    ['a prototype key', 'labels:\n  __proto__: x\n', '2:3 The key "__proto__" isn\'t allowed.'],
    ['a tab', 'labels:\n\ta: b\n', "2:1 Indent with spaces. YAML doesn't allow tabs here."],
    ['a list', '- a\n', '1:1 A resource spec consists of lines such as "cpu: 1.5".'],
    [
      'two documents',
      'cpu: 1\n---\ncpu: 2\n',
      '2:1 Only one document is allowed here. Remove the "---" line and the other document.',
    ],
    ['a tag', 'cpu: !env CPU\n', '1:6 Tags (words that begin with "!") aren\'t supported here. Remove the tag.'],
    ['a directive', '%YAML 1.1\n---\ncpu: 1\n', '1:1 Remove the line that begins with "%YAML".'],
    ['an alias to nothing', 'cpu: *x\n', '1:6 This alias (*) has no anchor (&) before it.'],
    ['an alias to itself', 'labels: &x {a: *x}\n', '1:16 This alias (*) has no anchor (&) before it.'],
    ['a list as a key', '? [a]\n: 1\n', '1:3 A key must be text.'],
    ['a missing key', ': 1\n', '1:1 The key before the colon is missing.'],
    ['an open quote', 'cpu: "1\n', '1:6 A closing quote is missing.'],
    ['an open quote in brackets', 'labels: {a: "b, c: d}\n', '1:13 A closing quote is missing.'],
    ['an open quote above others', 'labels:\n  a: "b\n  c: "d"\n', '2:6 A closing quote is missing.'],
    [
      'an open bracket',
      'labels: {a: b\n',
      "2:1 A closing bracket is missing, or a line before it isn't indented enough.",
    ],
    [
      'a list in brackets',
      'a: [\n  - b\n]\n',
      '2:3 Between brackets, separate values with commas instead of dashes or lines.',
    ],
    [
      'an unknown escape',
      'a: "\\d"\n',
      '1:5 YAML doesn\'t know this escape. Write "\\\\" for a backslash, or use single quotes.',
    ],
    [
      'more after a quote',
      'a: "b" c\n',
      "1:8 This isn't expected here. Look for a missing quote or line break before it.",
    ],
    [
      'two colons',
      'cpu: 1: 2\n',
      "1:6 This key and its value can't be told apart. Look for a missing line break, space, or quote.",
    ],
    [
      'too deep in blocks',
      Array.from({ length: 66 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      '65:65 This is nested deeper than 64 levels.',
    ],
    ['too many dashes', `a:\n ${'- '.repeat(70)}`, '2:128 This is nested deeper than 64 levels.'],
    ['too many brackets', `labels: ${'['.repeat(70)}${']'.repeat(70)}`, '1:72 This is nested deeper than 64 levels.'],
  ])('%s', (_what, text, problem) => {
    expect(read(text)).toContain(problem);
  });

  it.each([
    'cpu: 1\n   min_scale: 2\n max_scale: 3\nlabels: {a: b\n',
    'a: b\n- c\n- d: e\n',
    '&a &b c: d\n',
    'a: b\nc\nd: }\n',
  ])('says one thing of one mistake, in our own words: %j', (text) => {
    expect(read(text)).toEqual([expect.not.stringMatching(/implicit|block|flow|node|token|scalar/i)]);
  });

  it('refuses a text over 256 kB before parsing it', () => {
    expect(read(`# ${'x'.repeat(longestSpecText)}`)).toEqual([
      '1:1 This text is longer than 256 kB, which is too long for a resource spec.',
    ]);
  });

  it('refuses an alias bomb', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(10).fill(inner).join(', ')}]`;
    });
    expect(read(levels.join('\n'))).toContain('7:10 The aliases in this text repeat too much.');
  });

  it('refuses a tower of aliases', () => {
    const levels = Array.from(
      { length: 100 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1}`}]`,
    );
    expect(read(levels.join('\n'))).toContain('63:12 The aliases in this text repeat too much.');
  });
});

// More texts are tried in hostileTexts.test.ts.
it.each(['%a\n', '---\n'])(
  'ends quickly with 256 kB of %j',
  (unit) => {
    const text = unit.repeat(longestSpecText / unit.length);
    const before = process.threadCpuUsage();
    readSpecText(text);
    const { user, system } = process.threadCpuUsage(before);
    // Ten seconds of processor time at most, in microseconds; where the time is quadratic it is minutes.
    expect(user + system).toBeLessThan(10_000_000);
  },
  60_000,
);

it.each<[string, string]>([
  ['cpu: 1\nmemory_mb: abc\n', '2:12 "abc"'],
  ['memory_mb: "7"\n', '1:12 "\\"7\\""'],
  ['foo: 1\n', '1:1 "foo"'],
  ['sidecars:\n  - name: s\n    image: i\n    ports: []\n', '4:5 "ports"'],
  ['sidecars:\n  - name: s\n    command: [a, 1]\n    image: i\n', '3:18 "1"'],
  ['sidecars:\n  - name: s\n', '2:5 "name: s"'],
  ['volumes: 5', '1:10 "5"'],
])('locates the first finding of %j at %s', (text, expected) => {
  const [finding] = findingsIn(readSpecText(text), 'standard');
  const { start, end, line, column } = finding!;
  expect(`${line}:${column} ${JSON.stringify(text.slice(start, end))}`).toBe(expected);
});

it('lists findings in the order of the text', () => {
  const keys = (text: string) => findingsIn(readSpecText(text), 'standard').map(({ key, line }) => `${line} ${key}`);
  expect(keys('labels: [a]\nfoo: 1\n')).toEqual(['1 labels', '2 foo']);
  expect(keys('a: 1\nb: 2\na: 3\nb: 4\n')).toEqual(['3 undefined', '4 undefined']);
});

describe('merge keys', () => {
  it.each([
    ['labels:\n  <<: {a: x, b: y}\n  a: own\n', { labels: { a: 'own', b: 'y' } }],
    [
      'sidecars:\n  - &s\n    name: a\n    image: i\n  - <<: *s\n    name: b\n',
      {
        sidecars: [
          { name: 'a', image: 'i' },
          { name: 'b', image: 'i' },
        ],
      },
    ],
    ['labels:\n  <<: [{a: first}, {a: second, b: y}]\n', { labels: { a: 'first', b: 'y' } }],
    ['labels:\n  "<<": text\n', { labels: { '<<': 'text' } }],
  ])('%j', (text, spec) => {
    expect(readSpecText(text)).toMatchObject({ kind: 'readable', spec });
  });
});
