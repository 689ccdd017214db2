import * as l10n from '@vscode/l10n';
import { MAX_BODY_BYTES } from './schema/limits.ts';

/** The cause of an error, for callers to act on without parsing the message (design: "Errors"). */
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

/** A field that the client or the service rejected. */
export interface RejectedField {
  /** For example `source_config.resource_spec.cpu`. */
  readonly path: string;
  readonly message: string;
}

/** The only error that the client throws. Its messages never contain keys or secret values. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The service's request ID, for its operators. */
  readonly requestId: string | undefined;
  readonly fields: readonly RejectedField[] | undefined;
  /** How long the service asks the client to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request may have reached the service. False means it certainly didn't. */
  readonly sent: boolean;

  /** The message says what happened, on which service, and what to do next. It is shown to the user as is. */
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

/** The response is more than the client accepts. Part of it may be accepted, such as a shorter page. */
export class TooLargeError extends ApiError {
  constructor(message: string, status?: number) {
    super({ kind: 'unexpectedResponse', message, status, sent: true });
  }
}

type ApiErrorDetails = Pick<ApiError, 'kind' | 'message' | 'sent'> &
  Partial<Pick<ApiError, 'status' | 'requestId' | 'fields' | 'retryAfterMs' | 'cause'>>;

/** The caller aborted its signal, or the client was closed. */
export function cancelled(origin: string, sent: boolean): ApiError {
  return new ApiError({ kind: 'cancelled', message: l10n.t('The request to {0} was cancelled.', origin), sent });
}

/** No complete response arrived in time. */
export function timedOut(origin: string, timeoutMs: number, sent: boolean): ApiError {
  return new ApiError({
    kind: 'timeout',
    message: l10n.t(
      "{0} didn't respond within {1} seconds. Try again, or increase the setting deploymentManager.network.timeoutSeconds.",
      origin,
      timeoutMs / 1000,
    ),
    sent,
  });
}

/** The response has more bytes than the client accepts. */
export function tooLarge(origin: string): TooLargeError {
  return new TooLargeError(
    l10n.t("{0} sent a response of more than {1} MB, which wasn't read.", origin, MAX_BODY_BYTES / 1024 / 1024),
  );
}

/** The response doesn't match the interface. */
export function unexpected(message: string, status?: number): ApiError {
  return new ApiError({ kind: 'unexpectedResponse', message, status, sent: true });
}

/** The client refuses to send a request. Nothing left this machine. */
export function refused(message: string): ApiError {
  return new ApiError({ kind: 'invalid', message, sent: false });
}

/** The error to report for several lists shown as one. A missing list is an error only if all of them are missing. */
export function failureOfLists(results: readonly PromiseSettledResult<unknown>[]): unknown {
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const isOffered = (error: unknown): boolean => !(error instanceof ApiError && error.kind === 'notFound');
  return failures.find(isOffered) ?? (failures.length === results.length ? failures[0] : undefined);
}

/** Whether a response may mean that this installation of the service lacks the call. Its subject may be gone instead. */
export function isMissingCall(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 405);
}

/** The error code from the system or undici, searched through the chain of causes. Empty if there is none. */
export function codeOf(cause: unknown): string {
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return '';
}

/** Copies only the name, code and message of an error. The original can hold response bytes and secrets. */
export function essence(cause: unknown): Error {
  const { name, message } = cause instanceof Error ? cause : { name: 'Error', message: '' };
  const code = codeOf(cause);
  return Object.assign(new Error(message), { name, ...(code === '' ? {} : { code }) });
}
