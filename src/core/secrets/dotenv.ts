import * as l10n from '@vscode/l10n';
import { looksLikeKey } from '../../api/redaction/secretNames.ts';

export interface DotenvVariable {
  name: string;
  value: string;
  /** The first line of the variable, counting from 1. */
  line: number;
}

export interface Dotenv {
  variables: DotenvVariable[];
  /** The lines count from 1. */
  findings: { line: number; message: string }[];
}

/** The longest text to read, in characters. */
export const longestDotenv = 1_000_000;

/** The most lines to read that are variables or findings. */
const mostEntries = 1000;

/**
 * Reads a dotenv file: `NAME=value` lines, optional `export`, comments and quoted values.
 * Single, double and back quotes can span lines. Double quotes support \n, \r, \t, \" and \\.
 * The last value of a repeated name counts. Stops after 1,000 variables and findings, with a finding. Findings name lines and variables, but never values.
 */
export function parseDotenv(text: string): Dotenv {
  if (text.length > longestDotenv) {
    return { variables: [], findings: [{ line: 1, message: l10n.t('This file is too long for a dotenv file.') }] };
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const found = new Map<string, DotenvVariable>();
  const findings: Dotenv['findings'] = [];
  let index = 0;
  let entries = 0;
  while (index < lines.length) {
    const line = index + 1;
    const entry = readEntry(lines, index);
    index += entry.lines;
    if (entry.kind === 'nothing') continue;
    entries += 1;
    if (entries > mostEntries) {
      const message = l10n.t('Only the first {0} variables were read. The rest of the file was skipped.', mostEntries);
      findings.push({ line, message });
      break;
    }
    if (entry.kind === 'finding') {
      findings.push({ line, message: entry.message });
    }
    if (entry.kind === 'variable') {
      if (found.has(entry.name)) {
        findings.push({ line, message: l10n.t('{0} is set more than once. The last value counts.', entry.name) });
      }
      found.set(entry.name, { name: entry.name, value: entry.value, line });
    }
  }
  return { variables: [...found.values()], findings };
}

type Entry =
  | { kind: 'nothing'; lines: number }
  | { kind: 'finding'; lines: number; message: string }
  | { kind: 'variable'; lines: number; name: string; value: string };

function readEntry(lines: readonly string[], start: number): Entry {
  const text = (lines[start] ?? '').trimStart();
  if (text === '' || text.startsWith('#')) return { kind: 'nothing', lines: 1 };
  const assignment = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$/s.exec(text);
  const name = assignment?.[1];
  const rest = assignment?.[2];
  if (name === undefined || rest === undefined || rest === '=' || (rest === '' && mayBeValue(name))) {
    return { kind: 'finding', lines: 1, message: l10n.t("This line isn't in the form NAME=value and was skipped.") };
  }
  const quote = rest.charAt(0);
  if (quote === '"' || quote === "'" || quote === '`') return readQuoted(name, quote, rest.slice(1), lines, start);
  return { kind: 'variable', lines: 1, name, value: rest.replace(/(^|\s)#.*$/s, '').trimEnd() };
}

/**
 * Whether a name without a value may be a value itself, such as the last line of a certificate: base64 is padded with
 * "=". It must not be shown as a name.
 */
function mayBeValue(name: string): boolean {
  return looksLikeKey(name) || (/[a-z]/.test(name) && /[A-Z]/.test(name));
}

function readQuoted(name: string, quote: string, first: string, lines: readonly string[], start: number): Entry {
  const parts: string[] = [];
  for (let count = 1, part: string | undefined = first; part !== undefined; part = lines[start + count], count += 1) {
    const end = closingQuote(part, quote);
    if (end !== -1) {
      parts.push(part.slice(0, end));
      const after = part.slice(end + 1).trim();
      if (after !== '' && !after.startsWith('#')) {
        const message = l10n.t('Text follows the closing quote of {0}. The line was skipped.', name);
        return { kind: 'finding', lines: count, message };
      }
      const value = parts.join('\n');
      return { kind: 'variable', lines: count, name, value: quote === '"' ? unescaped(value) : value };
    }
    parts.push(part);
  }
  // Stop here. The lines of an unclosed secret could be read as names, and names are shown.
  const message = l10n.t('The opening quote of {0} is never closed. The rest of the file was skipped.', name);
  return { kind: 'finding', lines: lines.length - start, message };
}

function closingQuote(text: string, quote: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (quote === '"' && text[index] === '\\') {
      index += 1;
    } else if (text[index] === quote) {
      return index;
    }
  }
  return -1;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nrt"\\])/g, (_, letter: string) => escapes.get(letter) ?? letter);
}

const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
