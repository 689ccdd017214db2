import { inspect } from 'node:util';
import { hideInText, longestText } from './hideInText.ts';
import { MAX_ENTRY_LENGTH, MAX_TEXT_LENGTH } from '../schema/limits.ts';

export const MASK = '•••';

/** Removes the user names and passwords of a text's addresses, masks whatever else looks secret, and shortens the text. */
export function maskedText(text: string): string {
  const beginning = text.slice(0, longestText);
  return hideInText(
    beginning,
    () => MASK,
    () => '',
  ).slice(0, MAX_ENTRY_LENGTH);
}

/** How many characters of a foreign text to scan: far more than are shown, to leave enough after masking. */
const MAX_READ_LENGTH = 20 * MAX_TEXT_LENGTH;

/**
 * Makes foreign text safe to show and log.
 * Masks the given secrets in every likely spelling, removes credentials, control characters and terminal colors, and
 * shortens the text.
 */
export function safeText(text: string, secrets: readonly string[] = []): string {
  const spellings = spellingsIn(secrets);
  // Mask again: removing colors can join the parts of a secret.
  const redacted = maskAll(withoutTerminalCodes(maskedBeginning(text, spellings)), spellings);
  const plain = maskedText(redacted)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH)}…` : plain;
}

/** The control strings, control sequences and escape sequences of ECMA-48. Of a string without an end, the text stays. */
const TERMINAL_CODES =
  /\u001B[\]PX^_](?:[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C))?|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]?|\u001B[ -/]*[0-~]?/g;

/** Removes terminal colors, titles and the like, in one pass: `stripVTControlCharacters` of Node takes quadratic time. */
export function withoutTerminalCodes(text: string): string {
  return text.replaceAll(TERMINAL_CODES, '');
}

/**
 * The spellings in which a text may quote secrets, the longest first, in case one contains another.
 * A program may print a secret of several lines line by line.
 */
export function spellingsIn(secrets: readonly string[]): readonly string[] {
  const lines = secrets.flatMap((secret) =>
    secret
      .split(/[\r\n]+/, MAX_SECRET_LINES)
      .map((line) => line.trim())
      .filter((line) => line.length >= 8),
  );
  const spellings = [...secrets, ...lines].filter((secret) => secret !== '').flatMap(spellingsOf);
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length);
}

/** The most lines of a secret to mask one by one: more than a key has. */
const MAX_SECRET_LINES = 200;

/** Masks a text. Shortens a long one, and drops the end, where a secret may be cut in two. */
export function maskedBeginning(text: string, spellings: readonly string[], limit = MAX_READ_LENGTH): string {
  if (text.length <= limit) return maskAll(text, spellings);
  const longest = spellings.reduce((most, spelling) => Math.max(most, spelling.length), 0);
  const masked = maskAll(text.slice(0, limit + longest), spellings);
  return masked.slice(0, Math.max(masked.length - longest, 0));
}

/** Masks all spellings in a text. */
export function maskAll(text: string, spellings: readonly string[]): string {
  return spellings.reduce(maskOne, text);
}

function spellingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString()), base64];
}

/** Masks one secret. A very short one must be a whole word: masking every "1" would ruin the text. */
function maskOne(text: string, secret: string): string {
  if (secret.length >= 4) return text.replaceAll(secret, MASK);
  const literal = secret.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<!\w)${literal}(?!\w)`, 'g'), MASK);
}

/** The client's log; VS Code's LogOutputChannel fits. Messages are already redacted. */
export interface Logger {
  trace(message: string, ...args: unknown[]): void;
  debug(message: string, ...args: unknown[]): void;
  info(message: string, ...args: unknown[]): void;
  warn(message: string, ...args: unknown[]): void;
  error(message: string, ...args: unknown[]): void;
}

/** Formats a log entry from a message and the output of a library or git, without what looks secret. */
export function logEntry(message: string, details: readonly unknown[]): string {
  const texts = details.map((detail) => inspect(detail, { depth: 3 }));
  return maskedText([message, ...texts].join(' '));
}
