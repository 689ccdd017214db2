import { inspect, stripVTControlCharacters } from 'node:util';
import { MAX_ENTRY_LENGTH, MAX_TEXT_LENGTH } from '../schema/limits.ts';

/**
 * An address without the user name and password that it may carry; any other text as it is. Over ssh a user name alone
 * is no secret, and the address does not work without it.
 */
export function withoutCredentials(text: string): string {
  return replaceCredentials(text, () => '');
}

/**
 * Replaces the user name and password of each address in a text. Addresses are found by the end of their scheme: to look
 * for a scheme takes quadratic time on a hostile text.
 */
export function replaceCredentials(text: string, hide: (credentials: string) => string): string {
  return text.replaceAll(/:\/\/([^\s/?#]*)@/g, (found: string, user: string, offset: number) => {
    const isSsh = /(?:^|[^a-z0-9+.-])ssh$/i.test(text.slice(Math.max(0, offset - 4), offset));
    if (isSsh && !user.includes(':')) return found;
    const shown = hide(user);
    // A text that quotes the password quotes it alone.
    hide(user.slice(user.indexOf(':') + 1));
    return shown === '' ? '://' : `://${shown}@`;
  });
}

/** Words that say that what they name is a secret, wherever they stand in a name. "tokenizer" and "max-tokens" are none. */
const secretWords =
  'secret|passw(?:or)?d|passphrase|token|credentials?|authorization|bearer|jwt|(?:api|access|account|private|secret|signing|encryption)[._-]?key';

/** Words that say so only where nothing but a separator stands before them: "bypass" is no "pass". */
const wholeWords = 'auth|authn|authentication|pass|pwd|cookie|session|signature|otp';

/** The source of an expression for the name of an option, a variable, a header or a member whose value is a secret. */
export const secretNameSource = String.raw`(?:[\w.-]*(?:${secretWords})|(?:[\w.-]*[._-])?(?:${wholeWords}))`;

const secretName = new RegExp(`^${secretNameSource}$`, 'i');
const keyHeader = new RegExp(
  String.raw`${secretWords}|cookie|(?:^|[._-])(?:${wholeWords}|authz|authenticate)(?:$|[._-])|(?:^|[._-])key$`,
  'i',
);

/** Names are short; what is longer is taken for a secret, unread. */
const longestName = 200;

/** Whether the name of a member or a variable says that its value is a secret, in any spelling: `apiKey`, `API_KEY`. */
export function isSecretName(name: string): boolean {
  return name.length > longestName || secretName.test(name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_'));
}

/** Whether a header carries a key by its name, such as `X-Auth` or `X_Api_Key`. */
export function isKeyHeader(name: string): boolean {
  return name.length > longestName || keyHeader.test(name);
}

/**
 * Whether a text that should be a name may be a pasted key: names of headers have a few words of letters, keys are long
 * or have digits in them.
 */
export function looksLikeKey(text: string): boolean {
  return text.length > 50 || /[a-z0-9]{21}/i.test(text) || (text.match(/\d/g)?.length ?? 0) > 3;
}

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

/** Where the client tells what it does; VS Code's LogOutputChannel fits. What it is given is already redacted. */
export interface Logger {
  trace(message: string, ...args: unknown[]): void;
  debug(message: string, ...args: unknown[]): void;
  info(message: string, ...args: unknown[]): void;
  warn(message: string, ...args: unknown[]): void;
  error(message: string, ...args: unknown[]): void;
}

/** An entry of the log: a message, and what a library or git said, where an address may carry a password. */
export function logEntry(message: string, details: readonly unknown[]): string {
  const texts = details.map((detail) => inspect(detail, { depth: 3 }));
  return withoutCredentials([message, ...texts].join(' ')).slice(0, MAX_ENTRY_LENGTH);
}
