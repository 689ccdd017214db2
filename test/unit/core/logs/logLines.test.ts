import { describe, expect, it } from 'vitest';
import { spellingsIn } from '../../../../src/api/redaction/redact.ts';
import type { LogEntry } from '../../../../src/api/resources/logs.ts';
import { firstError, writeEntries } from '../../../../src/core/logs/logLines.ts';

const at = Date.UTC(2026, 2, 2, 13, 0, 5);

function entry(message: string, given: Partial<LogEntry> = {}): LogEntry {
  return { id: '', time: at, level: 'INFO', message, ...given };
}

function write(entries: readonly LogEntry[], secrets: readonly string[] = []) {
  return writeEntries(entries, {
    time: (ms) => new Date(ms).toISOString().slice(11, 19),
    spellings: spellingsIn(secrets),
  });
}

function linesOf(message: string, ...secrets: readonly string[]): readonly string[] {
  return write([entry(message)], secrets).flatMap(({ lines }) => lines);
}

/** What is shown of a message of one line. */
const shown = (message: string, ...secrets: readonly string[]): string =>
  linesOf(message, ...secrets)
    .join('\n')
    .slice('13:00:05 INFO    '.length);

describe('a line', () => {
  it('has the time, the level and the message', () => {
    expect(linesOf('Cloned the repository.')).toEqual(['13:00:05 INFO    Cloned the repository.']);
    expect(write([entry('Disk is full.', { level: 'WARNING' })])[0]?.lines).toEqual(['13:00:05 WARNING Disk is full.']);
  });

  it('leaves out a time that the service does not send', () => {
    expect(write([entry('No time', { time: undefined, level: '' })])[0]?.lines).toEqual(['No time']);
  });

  it('has further lines of its message indented below it', () => {
    expect(linesOf('Traceback:\r\n  File "a.py"\n\nValueError\n')).toEqual([
      '13:00:05 INFO    Traceback:',
      '      File "a.py"',
      '',
      '    ValueError',
    ]);
  });

  it('has neither colors nor control characters, and shows marks of direction', () => {
    expect(shown('\u001B[31mred\u001B[0m \u001B]8;;https://x\u0007link\u001B]8;;\u0007\u0000\u0008\u200B.')).toBe(
      'red link.',
    );
    expect(shown('\u001B]0;a title\u001B\\shown \u001B]0;without an end')).toBe('shown 0;without an end');
    expect(shown('\u009B1;31mred\u001B(B, \u001B\u001B]\u0007] and \u001B[')).toBe('red, ] and');
    expect(shown('a\u202Etxt.exe')).toBe('a⟨U+202E⟩txt.exe');
    expect(write([entry('x', { level: '\u001B[1mIN\nFO' })])[0]?.lines).toEqual(['13:00:05 IN      x']);
  });

  it('keeps the last state of progress that is written over', () => {
    expect(shown('10%\r50%\r100%\rdone\r\n')).toBe('done');
  });

  it('of a megabyte is cut off, and so is an entry of thousands of lines', () => {
    expect(shown('x'.repeat(1024 * 1024)).length).toBeLessThanOrEqual(20_000);
    const many = linesOf('x\n'.repeat(9_000));
    expect(many).toHaveLength(1_001);
    expect(many.at(-1)).toBe('    …');
  });
});

describe('secrets', () => {
  it('that are known are hidden in every spelling', () => {
    const secret = 'p"ss wörd/1';
    const base64 = Buffer.from(secret).toString('base64');
    const text = `${secret} ${JSON.stringify(secret)} ${encodeURIComponent(secret)} ${base64}`;
    expect(shown(text, secret)).toBe('••• "•••" ••• •••');
  });

  it('that are known are hidden though colors or invisible characters part them', () => {
    expect(shown('can\u001B[31mary-1234 can\u200Bary-1234 can\u0000ary-1234', 'canary-1234')).toBe('••• ••• •••');
  });

  it('of several lines are hidden where a program prints them line by line', () => {
    const secret = 'first-line-of-it\nsecond-line-of-it';
    expect(
      write([entry('first-line-of-it'), entry('> second-line-of-it')], [secret]).map(({ lines }) => lines),
    ).toEqual([['13:00:05 INFO    •••'], ['13:00:05 INFO    > •••']]);
  });

  it('that look like ones are hidden', () => {
    expect(shown('OPENAI_API_KEY=sk-abc https://user:word@host/x')).not.toMatch(/sk-abc|word/);
  });

  it('are hidden in a private key of which each line is an entry, and only there', () => {
    const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG', 'Zz==', '-----END PRIVATE KEY-----', 'Done'];
    expect(write(key.map((line) => entry(line))).map(({ lines }) => lines[0]?.slice(17))).toEqual([
      '•••',
      '•••',
      '•••',
      '•••',
      'Done',
    ]);
  });

  it('that a reader cut in two are hidden', () => {
    const secret = 'canary-of-a-secret';
    const text = `${'x'.repeat(19_990)} ${secret}`.slice(0, 20_000);
    expect(shown(text, secret)).not.toContain('canary');
  });
});

describe('an entry', () => {
  it('is known by its id, or else by its time and text', () => {
    const [one, same, other, named] = write([
      entry('a'),
      entry('a'),
      entry('a', { time: at + 1 }),
      entry('a', { id: '7' }),
    ]);
    expect(one?.key).toBe(same?.key);
    expect(one?.key).not.toBe(other?.key);
    expect(named?.key).toBe('7');
  });

  it('without a time has that of the one before it', () => {
    expect(write([entry('a'), entry('b', { time: undefined })]).map(({ time }) => time)).toEqual([at, at]);
  });
});

describe('the first error', () => {
  it('is the first entry of that level', () => {
    const entries = write([entry('0 errors'), entry('no graph', { level: 'ERROR' }), entry('x', { level: 'ERROR' })]);
    expect(firstError(entries)?.lines[0]).toContain('no graph');
  });

  it('is found by its words where the levels tell nothing', () => {
    expect(firstError(write([entry('Building'), entry('error: no graph')]))?.lines[0]).toContain('no graph');
    expect(firstError(write([entry('Building')]))).toBeUndefined();
  });
});
