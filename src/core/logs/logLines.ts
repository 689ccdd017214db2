import { MASK } from '../../api/redaction/redact.ts';
import { safeLines } from '../../api/redaction/safeLines.ts';
import type { LogEntry } from '../../api/resources/logs.ts';
import { shortened } from '../text/text.ts';

/** An entry of a log as it is shown and kept. */
export interface WrittenEntry {
  /** Tells entries apart, because an entry may be answered more than once. */
  readonly key: string;
  /** Milliseconds since 1970; that of the entry before if the service sent none. */
  readonly time: number;
  readonly isError: boolean;
  /** Without control characters, terminal colors and secrets. */
  readonly lines: readonly string[];
}

interface Writing {
  /** Formats milliseconds since 1970. */
  readonly time: (atMs: number) => string;
  /** The spellings of known secrets, to be masked. */
  readonly spellings: readonly string[];
}

/** Writes the entries of one answer, the oldest first. */
export function writeEntries(entries: readonly LogEntry[], writing: Writing): readonly WrittenEntry[] {
  let time = -Infinity;
  let isInKey = false;
  return entries.map((entry) => {
    const { id, level, message } = entry;
    time = entry.time ?? time;
    const isKey = beginsKey.test(message) || (isInKey && isPartOfKey.test(message.trim()));
    isInKey = isKey && !endsKey.test(message);
    const [first = '', ...others] = isKey ? [MASK] : safeLines(message, writing.spellings);
    const [shownLevel = ''] = safeLines(level, []);
    const beginning = [entry.time === undefined ? '' : writing.time(entry.time), shownLevel.padEnd(longestLevel)];
    return {
      key: id === '' ? JSON.stringify([entry.time, level, message]) : id,
      time,
      isError: errorLevels.has(level),
      lines: [[...beginning, first].join(' ').trim(), ...others.map((line) => `    ${line}`)].map(shownLine),
    };
  });
}

/** The place of the first error: by the level, or else by the words. Undefined without one. */
export function firstError(entries: readonly WrittenEntry[]): WrittenEntry | undefined {
  return entries.find(({ isError }) => isError) ?? entries.find(({ lines }) => lines.some((line) => words.test(line)));
}

/** "WARNING" is the longest level that services name. */
const longestLevel = 7;
const errorLevels: ReadonlySet<string> = new Set(['ERROR', 'CRITICAL', 'FATAL']);
const words = /\b(?:error|failed|traceback)\b/i;

/** A program may print a private key line by line, each of which is an entry. */
const beginsKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*$/;
const isPartOfKey = /^(?:[A-Za-z0-9+/=]+|-----END [A-Z ]*-----|[\w-]+: [\w,-]+)?$/;
const endsKey = /-----END [A-Z ]*-----/;

/** In characters. VS Code draws no more of a line. */
const longestLine = 10_000;

function shownLine(line: string): string {
  return shortened(line.trimEnd(), longestLine);
}
