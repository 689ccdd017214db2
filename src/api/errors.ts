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
export interface FieldProblem {
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
  readonly fields?: readonly FieldProblem[] | undefined;
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
  readonly fields: readonly FieldProblem[] | undefined;
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
