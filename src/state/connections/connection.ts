import * as l10n from '@vscode/l10n';
import { flavors, type Flavor, type FlavorName } from '../../api/flavor.ts';
import { parseBaseUrl } from '../../api/http/baseUrl.ts';
import { isRecord } from '../../api/schema/json.ts';
import { isKeyHeader, looksLikeKey } from '../../api/http/secretNames.ts';

/** A configured service, as stored in `deploymentManager.connections`; its key is stored separately. */
export interface ServiceConnection {
  readonly kind: 'service';
  readonly name: string;
  /** Without a trailing slash or a trailing `/v2`; may have a path prefix. */
  readonly baseUrl: string;
  readonly flavor: FlavorName;
  readonly codeHost?: string;
  readonly authHeader?: string;
  readonly authPrefix?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowPlainHttp?: boolean;
  readonly proxy?: string;
  readonly caFile?: string;
  readonly clientCertFile?: string;
  readonly clientKeyFile?: string;
}

/** The local service. Its address and key are read from its data folder on each use. */
export interface LocalConnection {
  readonly kind: 'local';
  readonly name: typeof localConnectionName;
}

export type Connection = ServiceConnection | LocalConnection;

export const localConnectionName = 'Local service';
export const localConnection: LocalConnection = { kind: 'local', name: localConnectionName };

/** The deployment types that a connection's flavor names. */
export function deploymentTypesOf(connection: Connection): readonly string[] {
  return flavors[connection.kind === 'local' ? 'standard' : connection.flavor].deploymentTypes;
}

/** The names of a connection's filters of revisions. The local service has those of LangSmith. */
export function revisionFiltersOf(connection: Connection): Flavor['revisionFilters'] {
  return flavors[connection.kind === 'local' ? 'langsmith' : connection.flavor].revisionFilters;
}

/** A connection setting that can't be used, with a message for the user. */
export interface ConnectionProblem {
  readonly kind: 'problem';
  readonly name: string;
  readonly message: string;
}

export function textOfProblem({ name, message }: ConnectionProblem): string {
  return l10n.t('The connection "{0}" in the settings can\'t be used. {1}', name, message);
}

/** Stored data names a connection that is no longer configured. */
export class RemovedConnectionError extends Error {
  override readonly name = 'RemovedConnectionError';

  constructor(connection: string) {
    super(l10n.t('The connection "{0}" was removed.', connection));
  }
}

const optionalTexts = ['codeHost', 'authHeader', 'proxy', 'caFile', 'clientCertFile', 'clientKeyFile'] as const;
/** Characters that HTTP allows in a header value; a line break could inject further headers. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Parses one item of the setting `deploymentManager.connections`.
 * A form says what it calls the fields that a message names.
 */
export function parseConnection(
  value: unknown,
  nameOf: (field: 'authHeader' | 'authPrefix') => string = (field) => field,
): ServiceConnection | ConnectionProblem {
  const item = isRecord(value) ? value : {};
  const name = text(item['name'])?.trim() ?? '';
  const problem = (message: string): ConnectionProblem => ({ kind: 'problem', name, message });
  if (name === '') return problem(l10n.t('A connection needs a name.'));
  if (name === localConnectionName) {
    return problem(l10n.t('The name "{0}" is reserved for the local service. Choose another name.', name));
  }
  const allowPlainHttp = item['allowPlainHttp'] === true;
  const baseUrl = normalizeBaseUrl(text(item['baseUrl']) ?? '', allowPlainHttp);
  if (typeof baseUrl !== 'string') return problem(baseUrl.message);
  const flavor = item['flavor'] ?? 'standard';
  if (flavor !== 'standard' && flavor !== 'langsmith') {
    return problem(l10n.t('The flavor is "standard" or "langsmith", not {0}.', JSON.stringify(flavor)));
  }
  const notText = [...optionalTexts, 'authPrefix'].find((key) => !isTextOrMissing(item[key]));
  if (notText !== undefined) return problem(l10n.t('"{0}" must be text.', notText));
  const authHeader = text(item['authHeader']) ?? '';
  if (authHeader !== '' && !isHeaderName(authHeader)) {
    return problem(l10n.t('"{0}" must be the name of a header. Use Set API Key for the key.', nameOf('authHeader')));
  }
  const authPrefix = text(item['authPrefix']);
  if (authPrefix !== undefined && !headerValue.test(authPrefix)) {
    return problem(l10n.t('"{0}" must be text on one line.', nameOf('authPrefix')));
  }
  if (authPrefix !== undefined && looksLikeKey(authPrefix)) {
    return problem(l10n.t('"{0}" must be a word such as Bearer. Use Set API Key for the key.', nameOf('authPrefix')));
  }
  const headers = parseHeaders(item['headers'], authHeader);
  if ('message' in headers) return problem(headers.message);
  const proxy = text(item['proxy']);
  if (proxy !== undefined && proxy !== '') {
    const proxyProblem = proxyAddressProblem(proxy);
    if (proxyProblem !== undefined) return problem(proxyProblem);
  }
  return {
    kind: 'service',
    name,
    baseUrl,
    flavor,
    ...Object.fromEntries(optionalTexts.map((key) => [key, text(item[key])]).filter(([, entry]) => entry)),
    ...(authPrefix === undefined ? {} : { authPrefix }),
    ...(Object.keys(headers.headers).length > 0 ? { headers: headers.headers } : {}),
    ...(allowPlainHttp ? { allowPlainHttp } : {}),
  };
}

/**
 * Normalizes a base URL so paths can be appended, or says why it can't be used.
 * An address without a scheme gets https, because users often copy addresses from a browser without one.
 */
export function normalizeBaseUrl(input: string, allowPlainHttp: boolean): string | { readonly message: string } {
  const trimmed = input.trim();
  if (trimmed === '') {
    return { message: l10n.t('Enter the base URL of the service, such as https://deployments.example.com.') };
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  try {
    const { origin, prefix } = parseBaseUrl(hasScheme ? trimmed : `https://${trimmed}`, allowPlainHttp);
    return `${origin}${prefix}`;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

function parseHeaders(
  value: unknown,
  authHeader: string,
): { readonly headers: Record<string, string> } | { readonly message: string } {
  if (value === undefined || value === null) return { headers: {} };
  if (!isRecord(value)) return { message: l10n.t('"headers" must be an object of header names and values.') };
  const headers: Record<string, string> = {};
  for (const [index, [header, entry]] of Object.entries(value).entries()) {
    const content = text(entry);
    if (!isHeaderName(header)) {
      return { message: l10n.t("The name of header {0} isn't valid. Use Set API Key for the key.", index + 1) };
    }
    if (isKeyHeader(header) || header.toLowerCase() === authHeader.toLowerCase()) {
      return { message: l10n.t('Header {0} carries a key. Use Set API Key, which keeps it encrypted.', index + 1) };
    }
    if (content === undefined || !headerValue.test(content)) {
      return { message: l10n.t('The value of header {0} must be text on one line.', index + 1) };
    }
    headers[header] = content;
  }
  return { headers };
}

/** Whether a text can be a header name. Messages never repeat it, because a pasted key would be shown and logged. */
function isHeaderName(text: string): boolean {
  return headerName.test(text) && !looksLikeKey(text);
}

function proxyAddressProblem(proxy: string): string | undefined {
  if (!URL.canParse(proxy)) return l10n.t("The proxy isn't a web address.");
  const url = new URL(proxy);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return l10n.t('The proxy must begin with http:// or https://, not {0}//.', url.protocol);
  }
  if (url.password !== '' || url.username !== '') {
    return l10n.t(
      "The proxy address can't contain a user name or password. Use Edit Connection, which keeps them encrypted.",
    );
  }
  return undefined;
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether an item is the usable connection with this name; the stored name may have spaces around it. */
export function isCalled(item: unknown, name: string): boolean {
  const parsed = parseConnection(item);
  return parsed.kind === 'service' && parsed.name === name;
}
