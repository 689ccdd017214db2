/**
 * The one list of what looks secret: words in the names of variables, options, headers, fields and query parameters,
 * the webhooks of chat services, whose address is their key, and keys that show by themselves what they are.
 */

/** Words that end the name of a secret, also without a separator. "max-tokens" counts something else. */
const endings =
  '(?:secret|passw(?:or)?d|passphrase|credential|jwt)s?|authorization|bearer|token|(?<!(?:max|total|limit|remaining|prompt|completion|input|output)[._-]?)tokens|(?:api|access|account|private|secret|signing|encryption)[._-]?keys?';

/** Words that mark a secret only as a word of their own: "bypass" isn't "pass". */
const wholeWords = 'auth|authn|authentication|pass|pwd|creds?|cookie|session|signature|otp';

/** Words that mark a secret only as the last word of a name: neither "monkey" nor "key-id" is one. */
const lastWords = 'key|pat|dsn|cert|sig';

/** Names in a query that no word marks: a code to sign in with, and the keys that signed an address. */
const queryNames = /^(?:code|Key-Pair-Id|GoogleAccessId|(?:AWS|OSS)AccessKeyId)$/i;

/** What tells several secrets of one name apart. */
const suffix = String.raw`[._-]?\d{1,4}|[._-](?:prod|dev|staging|test|old|new|backup)`;

const secretName = new RegExp(`(?:${endings}|(?:^|[._-])(?:${wholeWords}|${lastWords}))(?:${suffix}){0,2}$`, 'i');
const inHeader = new RegExp(`${endings}|cookie|(?:^|[._-])(?:${wholeWords}|authz|authenticate)(?:$|[._-])`, 'i');

/** A longer name counts as a secret without being checked. */
const longestName = 200;

/** Whether the name of a variable, option or field marks a secret, in any spelling, such as `apiKey` or `API_KEY`. */
export function isSecretName(name: string): boolean {
  return name.length > longestName || secretName.test(name.replaceAll(betweenWords, '_'));
}

const betweenWords = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/** Whether the name of a query parameter marks a secret. */
export function isSecretQuery(name: string): boolean {
  return isSecretName(name) || queryNames.test(name);
}

/** Whether a header's name says that it carries a key, such as `X-Auth` or `X_Api_Key`. */
export function isKeyHeader(name: string): boolean {
  return isSecretName(name) || inHeader.test(name);
}

/** Whether the value of an option is a secret; `before` is the text up to the option. */
export function isSecretOption(option: string, value: string, before: string): boolean {
  const isOf = (commands: RegExp): boolean => commands.test(before.split(endOfCommand).at(-1) ?? '');
  if (/^--?(?:u|(?:proxy-)?user)$/.test(option))
    return login.test(value) && !(group.test(value) && isOf(/(?:docker|podman)\s/));
  if (option === '-p') return !port.test(value) && isOf(withPassword);
  if (option === '-a') return isOf(/redis-cli\s/);
  return /^[-_]/.test(option) && isSecretName(option);
}

/** A user name alone is no secret, and neither are an address or the numbers of a user and a group. */
const login = /^(?!\d+:\d+$)[^:]*:(?!\/\/)/;

/** A user and the group of the same name. */
const group = /^([\w.-]+):\1$/;

const port = /^[\d.:]+(?:\/(?:tcp|udp))?$/;

const endOfCommand = /[;|&]\s|(?<!\\)\n/;

/** Commands whose `-p` takes a password. */
const withPassword =
  /(?:^|[\s/"'`(])(?:login|mysql[\w.-]*|mariadb[\w.-]*|mongo\w*|sshpass|cqlsh|cypher-shell|rabbitmqadmin|twine|poetry publish|7z\w?|user(?:add|mod))\s/;

/**
 * What is secret under any name: the key in a webhook's address, a token after "Bearer", keys that begin with the name
 * of their service, and private keys, also without their end.
 */
export const knownKey =
  /(?:(?<=hooks\.slack\.com\/\w+\/|discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/|\.office(?:365)?\.com\/webhook(?:b2)?\/|api\.telegram\.org\/bot|\/open-apis\/bot\/v\d\/hook\/|webexapis\.com\/v1\/webhooks\/incoming\/|hooks\.zapier\.com\/hooks\/catch\/)|(?<=\/hooks\/)(?=(?:\w{17}\/)?(?=[a-z]*\d)[a-z0-9]{24}))[^\s?#"'<>]+|(?<=\bbearer )(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}|(?:gh[oprsu]_|github_pat_|glpat-|sk-(?:ant|proj)-|lsv2_(?:pt|sk)_|xox[abpr]-)[\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY[^]*?(?:-----END [A-Z ]*-----|$)/gi;

/**
 * Whether text entered as a name may be a pasted key.
 * Header names consist of a few short words, while keys are long or contain digits.
 */
export function looksLikeKey(text: string): boolean {
  return text.length > 50 || /[a-z0-9]{21}/i.test(text) || (text.match(/\d/g)?.length ?? 0) > 3;
}

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}

/** Whether a text can be the value of a header; a line break could inject further headers. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\u0020-\u007E]*$/.test(text);
}
