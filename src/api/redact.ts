import { inspect, stripVTControlCharacters } from 'node:util';
import { hideValues, withoutCredentials } from './hideValues.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';

const MASK = '•••';

/** The most of a foreign text that is looked at: far more than is shown, whatever is taken out of it. */
const MAX_READ_LENGTH = 20 * MAX_TEXT_LENGTH;

/** The longest entry of the log, in characters. */
const MAX_ENTRY_LENGTH = 20_000;

/** A body as text for the log, with everything masked that can carry a secret. */
export function redactBody(body: unknown): string {
  return shortened(JSON.stringify(hideValues(body, () => MASK)) ?? '', MAX_ENTRY_LENGTH);
}

/** An entry of the log: a message, and what a library or git said, where an address may carry a password. */
export function logEntry(message: string, details: readonly unknown[]): string {
  const texts = details.map((detail) => inspect(detail, { depth: 3 }));
  return shortened(withoutCredentials([message, ...texts].join(' ')), MAX_ENTRY_LENGTH);
}

/**
 * A foreign text that is safe to show and to log: the given secrets are masked in every spelling in which they can
 * appear, credentials in addresses and control characters and terminal colours are gone, and it is short.
 */
export function safeText(text: string, secrets: readonly string[] = []): string {
  const spellings = [...new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf))];
  // Masked again after the colours are gone: they could have stood in the middle of a secret.
  const redacted = maskAll(stripVTControlCharacters(maskedBeginning(text, spellings)), spellings);
  const plain = withoutCredentials(redacted)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return shortened(plain, MAX_TEXT_LENGTH);
}

/** As much of a text as is looked at. What may be the beginning of a secret at the end of it goes too. */
function maskedBeginning(text: string, spellings: readonly string[]): string {
  if (text.length <= MAX_READ_LENGTH) return maskAll(text, spellings);
  const longest = spellings.reduce((most, spelling) => Math.max(most, spelling.length), 0);
  const masked = maskAll(text.slice(0, MAX_READ_LENGTH + longest), spellings);
  return masked.slice(0, Math.max(masked.length - longest, 0));
}

/** Longer secrets first, so that one which contains another is masked as a whole. */
function maskAll(text: string, spellings: readonly string[]): string {
  return spellings.toSorted((a, b) => b.length - a.length).reduce(maskOne, text);
}

function spellingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(Buffer.from(secret).toString()), base64];
}

/** A very short secret is masked as a whole word only: masking every "1" would destroy the text and hide nothing. */
function maskOne(text: string, secret: string): string {
  if (secret.length >= 4) return text.replaceAll(secret, MASK);
  const literal = secret.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(String.raw`(?<!\w)${literal}(?!\w)`, 'g'), MASK);
}

function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
