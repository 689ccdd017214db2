import { stripVTControlCharacters } from 'node:util';
import { withoutCredentials } from './credentials.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';

export const MASK = '•••';

/** The most of a foreign text that is looked at: far more than is shown, whatever is taken out of it. */
const MAX_READ_LENGTH = 20 * MAX_TEXT_LENGTH;

/**
 * A foreign text that is safe to show and to log: the given secrets are masked in every spelling in which they can
 * appear, credentials in addresses and control characters and terminal colors are gone, and it is short.
 */
export function safeText(text: string, secrets: readonly string[] = []): string {
  const spellings = [...new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf))];
  // Masked again after the colors are gone: they could have stood in the middle of a secret.
  const redacted = maskAll(stripVTControlCharacters(maskedBeginning(text, spellings)), spellings);
  const plain = withoutCredentials(redacted)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH)}…` : plain;
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
