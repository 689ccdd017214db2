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
