import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, codeOf, essence, unexpected } from '../errors.ts';
import type { ApiErrorKind } from '../errors.ts';

/** Marks a failure to reach the proxy, which otherwise looks like a failure to reach the service. */
export class ProxyFailure extends Error {
  constructor(cause: unknown) {
    super('The proxy could not be reached', { cause });
  }
}

export interface NetworkRoute {
  readonly origin: string;
  /** Host and port of the proxy in use, without user information. */
  readonly proxy?: string | undefined;
}

/** Explains why an undici exchange failed and which setting to check. */
export function describeConnectionFailure(cause: unknown, route: NetworkRoute, sent: boolean): ApiError {
  if (cause instanceof ApiError) return cause;
  const fail = (kind: ApiErrorKind, message: string) => new ApiError({ kind, message, sent, cause: essence(cause) });
  const { origin, proxy } = route;
  const code = codeOf(cause);
  const tls = tlsMessage(code, origin);
  if (proxy !== undefined) {
    const message = proxyMessage(cause, route, proxy, sent);
    if (message !== undefined) return fail(tls === undefined ? 'proxy' : 'tls', message);
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelled(origin, sent);
  if (tls !== undefined) return fail('tls', tls);
  if (isNotHttp(cause, code)) {
    return unexpected(l10n.t("{0} didn't respond with HTTP. Check the base URL.", origin));
  }
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return fail('invalid', l10n.t("The request to {0} can't be sent. Check the connection's headers.", origin));
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return fail('timeout', l10n.t("Couldn't connect to {0} in time. Check the base URL and your network.", origin));
  }
  return fail('network', networkMessage(code, origin, sent));
}

/** Explains why the editor's fetch failed and which setting to check. */
export function describeEditorFailure(cause: unknown, origin: string): ApiError {
  const code = codeOf(cause);
  const tls = tlsMessage(code, origin);
  if (tls !== undefined) return new ApiError({ kind: 'tls', message: tls, sent: false, cause: essence(cause) });
  const message = l10n.t(
    "{0} didn't respond over the editor's network ({1}). Check the base URL and the editor's proxy settings.",
    origin,
    code || l10n.t('reason unknown'),
  );
  const sent = code !== 'ECONNREFUSED' && code !== 'ENOTFOUND';
  return new ApiError({ kind: 'network', message, sent, cause: essence(cause) });
}

/**
 * Whether the response isn't HTTP.
 * undici gives its parser errors no code if the response doesn't start like HTTP.
 */
function isNotHttp(cause: unknown, code: string): boolean {
  const name = cause instanceof Error ? cause.name : '';
  return name === 'HTTPParserError' || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** More codes of Node, OpenSSL and undici for a failed handshake or a rejected certificate. */
const OTHER_TLS_CODES =
  /^(?:CERT_|ERR_SSL_|ERR_TLS_|ERR_OSSL_|CRL_|UNABLE_TO_|ERROR_IN_C|INVALID_(?:CA|PURPOSE)$|(?:PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNSPECIFIED|UND_ERR_PRX_TLS)$)/;

/** Describes a certificate problem. Undefined for other failures. */
function tlsMessage(code: string, origin: string): string | undefined {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return l10n.t('The certificate of {0} is self-signed. If you trust it, set "caFile" of the connection.', origin);
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return l10n.t(
        'The certificate of {0} was issued by an authority that isn\'t trusted here. Set "caFile" of the connection to its certificate.',
        origin,
      );
    case 'CERT_HAS_EXPIRED':
      return l10n.t('The certificate of {0} has expired. Ask its operator to renew it.', origin);
    case 'CERT_NOT_YET_VALID':
      return l10n.t("The certificate of {0} isn't valid yet. Check the clock of this machine.", origin);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return l10n.t('The certificate of {0} belongs to another host. Check the base URL.', origin);
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
    case 'EPROTO':
      return l10n.t("{0} doesn't support https. Check the base URL.", origin);
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
    case 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA':
    case 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE':
    case 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE':
    case 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE':
      return l10n.t(
        '{0} rejected the client certificate. Check "clientCertFile" and "clientKeyFile" of the connection.',
        origin,
      );
    default:
      if (!OTHER_TLS_CODES.test(code)) return undefined;
      return l10n.t('Couldn\'t connect securely to {0} ({1}). Check "caFile" of the connection.', origin, code);
  }
}

function proxyMessage(cause: unknown, route: NetworkRoute, proxy: string, sent: boolean): string | undefined {
  const text = cause instanceof Error ? cause.message : '';
  if (text.includes('(407)')) {
    return l10n.t(
      'The proxy {0} requires a user name and password (407). Set them with Edit Connection or in http.proxy.',
      proxy,
    );
  }
  const status = /^Proxy response \((\d{3})\)/.exec(text)?.[1];
  if (status !== undefined) {
    return l10n.t(
      'The proxy {0} couldn\'t connect to {1} (status {2}). Check "proxy" of the connection or http.proxy.',
      proxy,
      route.origin,
      status,
    );
  }
  const isTunnelled = route.origin.startsWith('https:');
  const failedAtProxy =
    cause instanceof ProxyFailure || codeOf(cause).startsWith('UND_ERR_PRX_') || (!isTunnelled && !sent);
  if (!failedAtProxy) return undefined;
  const reason = codeOf(cause) || l10n.t('no connection');
  return l10n.t(
    'Couldn\'t connect to the proxy {0} ({1}). Check "proxy" of the connection or http.proxy.',
    proxy,
    reason,
  );
}

function networkMessage(code: string, origin: string, sent: boolean): string {
  const reason = code || l10n.t('reason unknown');
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return l10n.t("The host of {0} can't be resolved. Check the base URL and your network.", origin);
    case 'ECONNREFUSED':
      return l10n.t('{0} refused the connection. Check the base URL and that the service is running.', origin);
    default:
      return sent
        ? l10n.t('The connection to {0} was lost before the response was complete ({1}). Try again.', origin, reason)
        : l10n.t("Couldn't connect to {0} ({1}). Check the base URL and your network.", origin, reason);
  }
}
