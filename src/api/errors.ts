import * as l10n from '@vscode/l10n';
import { MAX_BODY_BYTES } from './schema/limits.ts';

/** What went wrong, so that callers can decide without reading the text (design: "Errors"). */
export type ApiErrorKind =
  | 'network'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'invalid'
  | 'rateLimited'
  | 'server'
  | 'unexpectedResponse'
  | 'cancelled';

/** One field that was refused, by the client or by the service. */
export interface RejectedField {
  /** For example `source_config.resource_spec.cpu`. */
  readonly path: string;
  readonly message: string;
}

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** What happened, to which service, and what to do: shown to a person as it is. */
  readonly message: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The service's id of the request, for its operators. */
  readonly requestId?: string | undefined;
  readonly fields?: readonly RejectedField[] | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the request may have reached the service: false is certain, true means that it could have. */
  readonly sent: boolean;
  readonly cause?: unknown;
}

/** The one error that the client throws. Its texts are redacted: keys and secret values are never in it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly fields: readonly RejectedField[] | undefined;
  readonly retryAfterMs: number | undefined;
  readonly sent: boolean;

  constructor({ kind, message, status, requestId, fields, retryAfterMs, sent, cause }: ApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
    this.sent = sent;
  }
}

/** The caller's signal was aborted, or the client was closed. */
export function cancelled(origin: string, sent: boolean): ApiError {
  return new ApiError({ kind: 'cancelled', message: l10n.t('The request to {0} was cancelled.', origin), sent });
}

/** No complete answer in time. */
export function timedOut(origin: string, timeoutMs: number, sent: boolean): ApiError {
  return new ApiError({
    kind: 'timeout',
    message: l10n.t(
      '{0} did not answer within {1} seconds. Try again, or raise the setting deploymentManager.network.timeoutSeconds.',
      origin,
      timeoutMs / 1000,
    ),
    sent,
  });
}

/** The answer is longer than the client is willing to hold. */
export function tooLarge(origin: string): ApiError {
  return unexpected(
    l10n.t('{0} sent an answer of more than {1} MB. It was not read.', origin, MAX_BODY_BYTES / 1024 / 1024),
  );
}

/** The service answered, but not with what the interface says. */
export function unexpected(message: string, status?: number): ApiError {
  return new ApiError({ kind: 'unexpectedResponse', message, status, sent: true });
}

/** The client refuses to send something; nothing left this machine. */
export function refused(message: string): ApiError {
  return new ApiError({ kind: 'invalid', message, sent: false });
}
