import * as l10n from '@vscode/l10n';
import { ApiError, refused } from '../../api/errors.ts';
import { flavors, type Flavor, type FlavorName } from '../../api/flavor.ts';
import { parseBaseUrl } from '../../api/http/baseUrl.ts';
import { isRecord } from '../../api/schema/json.ts';
import type { Event } from '../emitter.ts';
import { isHeaderName, isHeaderValue, isKeyHeader, looksLikeKey } from '../../api/redaction/secretNames.ts';

/** The setting `deploymentManager.connections`. */
export interface ConnectionSettings {
  read(): unknown;
  write(connections: readonly unknown[]): PromiseLike<void>;
  onDidChange: Event<void>;
}

/** A configured service, as stored in `deploymentManager.connections`; its key is stored separately. */
export interface ServiceConnection {
  readonly kind: 'service';
  readonly name: string;
  /** Without a trailing slash or a trailing `/v2`; may have a path prefix. */
  readonly baseUrl: string;
  readonly flavor: Exclude<FlavorName, 'local'>;
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
interface LocalConnection {
  readonly kind: 'local';
  readonly name: typeof localConnectionName;
}

export type Connection = ServiceConnection | LocalConnection;

export const localConnectionName = 'Local service';
export const localConnection: LocalConnection = { kind: 'local', name: localConnectionName };

/** The names and capabilities of a connection's service. */
export function flavorOf(connection: Connection): Flavor {
  return flavors[flavorNameOf(connection)];
}

export function flavorNameOf(connection: Connection): FlavorName {
  return connection.kind === 'local' ? 'local' : connection.flavor;
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
  try {
    const unusableName = nameProblem(name);
    if (unusableName !== undefined) throw refused(unusableName);
    const allowPlainHttp = item['allowPlainHttp'] === true;
    const baseUrl = readBaseUrl(text(item['baseUrl']) ?? '', allowPlainHttp);
    const flavor = item['flavor'] ?? 'standard';
    if (flavor !== 'standard' && flavor !== 'langsmith') {
      throw refused(l10n.t('The flavor is "standard" or "langsmith", not {0}.', JSON.stringify(flavor)));
    }
    const notText = [...optionalTexts, 'authPrefix'].find((key) => typeof (item[key] ?? '') !== 'string');
    if (notText !== undefined) throw refused(l10n.t('"{0}" must be text.', notText));
    const { authHeader, authPrefix, proxy } = item;
    if (isText(authHeader) && !isNameOfHeader(authHeader)) {
      throw refused(l10n.t('"{0}" must be the name of a header. Use Set API Key for the key.', nameOf('authHeader')));
    }
    if (isText(authPrefix)) checkAuthPrefix(authPrefix, nameOf('authPrefix'));
    if (isText(proxy)) checkProxy(proxy);
    const headers = readHeaders(item['headers'], isText(authHeader) ? authHeader : '');
    return {
      kind: 'service',
      name,
      baseUrl,
      flavor,
      ...Object.fromEntries(optionalTexts.map((key) => [key, item[key]]).filter(([, entry]) => isText(entry))),
      ...(typeof authPrefix === 'string' ? { authPrefix } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(allowPlainHttp ? { allowPlainHttp } : {}),
    };
  } catch (error) {
    return { kind: 'problem', name, message: refusalOf(error) };
  }
}

/** Why a connection can't have this name. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return l10n.t('A connection needs a name.');
  if (name !== localConnectionName) return undefined;
  return l10n.t('The name "{0}" is reserved for the local service. Choose another name.', name);
}

/** Normalizes a base URL so paths can be appended, or says why it can't be used. */
export function normalizeBaseUrl(input: string, allowPlainHttp: boolean): string | { readonly message: string } {
  try {
    return readBaseUrl(input, allowPlainHttp);
  } catch (error) {
    return { message: refusalOf(error) };
  }
}

/** An address without a scheme gets https, because users often copy addresses from a browser without one. */
function readBaseUrl(input: string, allowPlainHttp: boolean): string {
  const trimmed = input.trim();
  if (trimmed === '') {
    throw refused(l10n.t('Enter the base URL of the service, such as https://deployments.example.com.'));
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\//i.test(trimmed);
  const { origin, prefix } = parseBaseUrl(hasScheme ? trimmed : `https://${trimmed}`, allowPlainHttp);
  return `${origin}${prefix}`;
}

/** The message of a refused setting. Any other error is a defect. */
function refusalOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

function checkAuthPrefix(authPrefix: string, field: string): void {
  if (!isHeaderValue(authPrefix)) throw refused(l10n.t('"{0}" must be one line of ASCII text.', field));
  if (looksLikeKey(authPrefix)) {
    throw refused(l10n.t('"{0}" must be a word such as Bearer. Use Set API Key for the key.', field));
  }
}

function readHeaders(value: unknown, authHeader: string): Readonly<Record<string, string>> {
  const given = value ?? {};
  if (!isRecord(given)) throw refused(l10n.t('"headers" must be an object of header names and values.'));
  const headers: Record<string, string> = {};
  for (const [index, [header, content]] of Object.entries(given).entries()) {
    if (!isNameOfHeader(header)) {
      throw refused(l10n.t("The name of header {0} isn't valid. Use Set API Key for the key.", index + 1));
    }
    if (isKeyHeader(header) || header.toLowerCase() === authHeader.toLowerCase()) {
      throw refused(l10n.t('Header {0} carries a key. Use Set API Key, which keeps it encrypted.', index + 1));
    }
    if (typeof content !== 'string' || !isHeaderValue(content)) {
      throw refused(l10n.t('The value of header {0} must be one line of ASCII text.', index + 1));
    }
    headers[header] = content;
  }
  return headers;
}

/** Whether a text can be a header name. Messages never repeat it, because a pasted key would be shown and logged. */
function isNameOfHeader(text: string): boolean {
  return isHeaderName(text) && !looksLikeKey(text);
}

function checkProxy(proxy: string): void {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined) throw refused(l10n.t("The proxy isn't a web address."));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(l10n.t('The proxy must begin with http:// or https://, not {0}//.', url.protocol));
  }
  if (url.password !== '' || url.username !== '') {
    throw refused(
      l10n.t(
        "The proxy address can't contain a user name or password. Use Edit Connection, which keeps them encrypted.",
      ),
    );
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether an item is the usable connection with this name; the stored name may have spaces around it. */
export function isCalled(item: unknown, name: string): boolean {
  const parsed = parseConnection(item);
  return parsed.kind === 'service' && parsed.name === name;
}
