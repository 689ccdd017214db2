/**
 * The one list of what looks secret: words in the names of variables, options, headers, fields and query parameters,
 * and the webhooks of chat services, whose address is their key.
 */

/** Words that end the name of a secret, also without a separator. "max-tokens" isn't a secret. */
const endings =
  'secret|passw(?:or)?d|passphrase|token|credentials?|authorization|bearer|jwt|(?:api|access|account|private|secret|signing|encryption)[._-]?key';

/** Words that mark a secret only as a word of their own: "bypass" isn't "pass". */
const wholeWords = 'auth|authn|authentication|pass|pwd|cookie|session|signature|otp';

/** Words that mark a secret only as the last word of a name: neither "monkey" nor "key-id" is one. */
const lastWords = 'key|pat|dsn|cert|sig';

/** Names in a query that no word marks: a code to sign in with, and the keys that signed an address. */
const queryNames = /^(?:code|AWSAccessKeyId|Key-Pair-Id|GoogleAccessId|OSSAccessKeyId)$/i;

const secretName = new RegExp(`(?:${endings}|(?:^|[._-])(?:${wholeWords}|${lastWords}))$`, 'i');
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
  if (/^--?(?:u|(?:proxy-)?user)$/.test(option)) return isLogin(value);
  if (option === '-p') return isPassword(value, before);
  return /^[-_]/.test(option) && isSecretName(option);
}

/** Whether the rest of an option in one word is a secret: `-uname:password` or `-ppassword`. */
export function isSecretRest(option: string, value: string, before: string): boolean {
  return option === '-u' ? isLogin(value) : isPassword(value, before);
}

/** A user name alone is no secret, and neither are an address or the numbers of a user and a group. */
function isLogin(value: string): boolean {
  return value.includes(':') && !value.includes('://') && !/^\d+:\d+$/.test(value);
}

const port = /^[\d.:]+(?:\/(?:tcp|udp))?$/;

/** Whether a value after `-p` is a password: most commands take something else there. */
function isPassword(value: string, before: string): boolean {
  return !port.test(value) && withPassword.test(before.split(endOfCommand).at(-1) ?? '');
}

const endOfCommand = /[;|&]\s|(?<!\\)\n/;

/** Commands whose `-p` takes a password. */
const withPassword =
  /(?:^|[\s/"'`(])(?:login|mysql[\w.-]*|mariadb[\w.-]*|mongo\w*|sshpass|cqlsh|cypher-shell|rabbitmqadmin|twine|poetry publish|7z\w?|user(?:add|mod))\s/;

/** The webhooks of common chat services: where they are, and then what is secret. */
export const webhook = new RegExp(
  String.raw`((?<![\w.-])(?:${[
    String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/`,
    String.raw`(?:[\w-]{1,20}\.)?discord(?:app)?\.com/api/(?:v\d{1,3}/)?webhooks/`,
    String.raw`[\w-]{1,63}\.webhook\.office\.com/webhookb2/`,
    String.raw`outlook\.office(?:365)?\.com/webhook/`,
    String.raw`api\.telegram\.org/bot`,
    String.raw`open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v\d/hook/`,
    String.raw`webexapis\.com/v1/webhooks/incoming/`,
    String.raw`hooks\.zapier\.com/hooks/catch/`,
  ].join('|')})|/hooks/(?=(?:\w{17}/)?[a-z0-9]{24}))([^\s?#"'<>]+)`,
  'gi',
);

/**
 * Whether text entered as a name may be a pasted key.
 * Header names consist of a few short words, while keys are long or contain digits.
 */
export function looksLikeKey(text: string): boolean {
  return text.length > 50 || /[a-z0-9]{21}/i.test(text) || (text.match(/\d/g)?.length ?? 0) > 3;
}
