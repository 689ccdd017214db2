import * as tls from 'node:tls';
import * as l10n from '@vscode/l10n';
import { ApiError } from './errors.ts';
import type { TransportOptions } from './transport.ts';

export interface TlsSettings {
  readonly secureContext: tls.SecureContext;
  readonly rejectUnauthorized: boolean;
}

/**
 * Which certificates are trusted and shown. One context serves all connections of a transport, because reading a
 * hundred certificates anew for each of them costs more than the connection.
 * @throws ApiError `tls` when the given certificates or key cannot be read.
 */
export function createTlsSettings({ strictTls, ca, cert, key }: TransportOptions): TlsSettings {
  const trusted = [...defaultCertificates(), ...(ca === undefined ? [] : [ca])];
  try {
    return {
      secureContext: tls.createSecureContext({ ca: trusted, cert, key }),
      rejectUnauthorized: strictTls ?? true,
    };
  } catch {
    throw new ApiError({
      kind: 'tls',
      message: l10n.t(
        'The certificate files of the connection cannot be used. Check that "caFile", "clientCertFile" and "clientKeyFile" are PEM files that belong together.',
      ),
      sent: false,
    });
  }
}

/** What Node trusts, and what the system trusts where this Node can ask it (22.15 and newer). */
function defaultCertificates(): string[] {
  const ask: typeof tls.getCACertificates | undefined = tls.getCACertificates;
  if (ask === undefined) return [...tls.rootCertificates];
  return [...new Set([...ask('default'), ...ask('system')])];
}
