import * as l10n from '@vscode/l10n';
import { refused } from '../errors.ts';
import { flavors, type FlavorName } from '../flavor.ts';

/** A base URL in two parts. Paths of the interface are appended to `prefix`, which keeps a path prefix. */
export interface BaseUrl {
  /** For example `https://host:8443`. */
  readonly origin: string;
  /** Empty, or a path such as `/api-host`. Never has a trailing slash. */
  readonly prefix: string;
}

/**
 * Parses a pasted base URL. Drops trailing slashes and a trailing `/v2`.
 * @throws ApiError `invalid` when it isn't an http(s) address, has user information, a query or a fragment, or is plain
 * http to another machine without `allowPlainHttp`.
 */
export function parseBaseUrl(text: string, allowPlainHttp = false): BaseUrl {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refused(l10n.t("The base URL isn't a web address. Enter one like https://host/path."));
  }
  if (url.username !== '' || url.password !== '') {
    throw refused(l10n.t('The base URL contains a user name or password. Remove it and use Set API Key.'));
  }
  if (url.search !== '' || url.hash !== '') {
    throw refused(l10n.t('The base URL can\'t contain "?" or "#". Enter one like https://host/path.'));
  }
  if (url.protocol === 'http:' && !allowPlainHttp && !isLoopback(url.hostname)) {
    throw refused(
      l10n.t(
        'The API key would be sent to {0} without encryption. Use https, or allow plain http for this connection in its settings.',
        url.host,
      ),
    );
  }
  const prefix = withoutTrailingSlashes(withoutTrailingSlashes(url.pathname).replace(/\/v2$/, ''));
  return { origin: url.origin, prefix };
}

/** Whether a host name, as `URL.hostname` gives it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Removes trailing slashes.
 * The lookbehind keeps it linear: starting a match at every slash takes quadratic time on a hostile path.
 */
function withoutTrailingSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

/** Encodes text as one path segment. Half a surrogate pair becomes the replacement character. */
export function encodeStep(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Decodes percent-encoded text. A "%" that encodes nothing stays: passwords and names of folders may have one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The URL of a deployment's page on the service, or undefined if the flavor has none or the tenant is unknown.
 * Self-hosted services serve the page next to their `/api-host`.
 */
export function servicePageUrl(
  flavor: FlavorName,
  baseUrl: string,
  deployment: { readonly id: string; readonly tenant_id?: string | undefined },
): string | undefined {
  if (!flavors[flavor].hasPages || deployment.tenant_id === undefined || !URL.canParse(baseUrl)) return undefined;
  const { protocol, host, pathname } = new URL(baseUrl);
  const hosted = /^(?<region>(?:eu|apac|aws)\.)?api\.host\.langchain\.com$/.exec(host)?.groups;
  const selfHostedPrefix = withoutTrailingSlashes(pathname).replace(/\/api-host$/, '');
  const site =
    hosted === undefined
      ? `${protocol}//${host}${selfHostedPrefix}`
      : `https://${hosted['region'] ?? ''}smith.langchain.com`;
  const tenant = encodeStep(deployment.tenant_id);
  return `${site}/o/${tenant}/host/deployments/${encodeStep(deployment.id)}`;
}
