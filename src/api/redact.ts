import { stripVTControlCharacters } from 'node:util';
import { MAX_TEXT_LENGTH } from './limits.ts';

const MASK = '•••';

/** Members whose value may be a secret, wherever they are in a body; `input` is what a 422 echoes. */
const SECRET_MEMBERS = new Set(['value', 'client_secret', 'input', 'authorization', 'password', 'token', 'api_key']);

/** A body as text for the log, with everything masked that can carry a secret. */
export function redactBody(body: unknown): string {
  const mask = (name: string, value: unknown) =>
    SECRET_MEMBERS.has(name.toLowerCase()) && value !== null && value !== undefined ? MASK : value;
  return maskCredentials(JSON.stringify(body, mask) ?? '');
}

/** The secret values of a body, so that a text that quotes one of them can be redacted. */
export function secretsIn(body: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, value: unknown) => {
    if (SECRET_MEMBERS.has(name.toLowerCase()) && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

/**
 * A foreign text that is safe to show and to log: the given secrets are masked in every spelling in which they can
 * appear, and so are credentials in addresses; control characters and terminal colours are gone, and it is short.
 */
export function safeText(text: string, secrets: readonly string[] = []): string {
  // Masked again after the colours are gone: they could have stood in the middle of a secret.
  const redacted = maskAll(stripVTControlCharacters(maskAll(text, secrets)), secrets);
  const plain = maskCredentials(redacted)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return plain.length > MAX_TEXT_LENGTH ? `${plain.slice(0, MAX_TEXT_LENGTH)}…` : plain;
}

/**
 * The user name and password of an address, as people have them in the URL of a repository. The length of the scheme
 * is bounded, because the search would take quadratic time on a long hostile text otherwise.
 */
function maskCredentials(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"]*@/gi, `$1${MASK}@`);
}

/** Longer secrets first, so that one which contains another is masked as a whole. */
function maskAll(text: string, secrets: readonly string[]): string {
  const spellings = new Set(secrets.filter((secret) => secret !== '').flatMap(spellingsOf));
  return [...spellings].toSorted((a, b) => b.length - a.length).reduce(maskOne, text);
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
