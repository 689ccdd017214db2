import { isUtf8 } from 'node:buffer';
import * as l10n from '@vscode/l10n';
import { ApiError, TooLargeError, unexpected } from '../errors.ts';
import type { ApiErrorKind, RejectedField } from '../errors.ts';
import { correctTracingAddress } from '../tracingAddress.ts';
import { isRecord } from '../schema/json.ts';
import { isParsable } from '../schema/parsable.ts';
import { safeText } from '../redaction/redact.ts';
import { parseRetryAfter } from './retry.ts';
import type { TransportResponse } from './transport.ts';

/** The first value of a header. The name must be in lowercase. */
export function headerOf(response: TransportResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Parses the JSON of a successful response. Ignores the content type, because gateways get it wrong.
 * @throws ApiError `unexpectedResponse` when the body is empty, not UTF-8 or not JSON. Never quotes the body.
 * @throws TooLargeError when it would take too long to parse
 */
export function parseAnswer(response: TransportResponse, origin: string): unknown {
  const { status, body } = response;
  if (body.length === 0) throw unexpected(l10n.t('{0} sent an empty response ({1}).', origin, status), status);
  if (!isUtf8(body)) throw unexpected(l10n.t("{0} sent a response that isn't UTF-8 text.", origin), status);
  if (!isParsable(body)) {
    throw new TooLargeError(
      l10n.t('{0} sent a response with too many or too deeply nested values. It was ignored.', origin),
      status,
    );
  }
  try {
    return JSON.parse(textOf(body));
  } catch {
    const message = isHtml(response)
      ? l10n.t('{0} sent a web page instead of data. Check the base URL: it may be the address of a website.', origin)
      : l10n.t("{0} sent a response that isn't valid JSON. It may have been cut off. Try again.", origin);
    throw unexpected(message, status);
  }
}

/** The body as text, without a byte order mark. */
function textOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isHtml(response: TransportResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return type.includes('html') || /^\s*<(?:!doctype|html)/i.test(textOf(response.body.subarray(0, 200)));
}

const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'];

/** How many rejected fields to keep, and how many to name in the message. */
const MAX_FIELDS = 100;
const MAX_NAMED_FIELDS = 5;

/**
 * Converts an unsuccessful response to an ApiError.
 * Reads both forms of FastAPI's `detail` (text and list), `error`, `message` and `status_message`. Other bodies yield
 * only the status. Never reads the `input` of a rejected field, and masks the secrets that were sent.
 */
export function serviceError(
  response: TransportResponse,
  { origin, secrets }: { readonly origin: string; readonly secrets: readonly string[] },
): ApiError {
  const { status } = response;
  const body = parseErrorBody(response.body);
  const fields = fieldsOf(body, secrets);
  const detail = fields.length > 0 ? listFields(fields) : safeText(detailOf(body), secrets);
  const kind = kindOf(status);
  const retryAfterMs = parseRetryAfter(headerOf(response, 'retry-after'), sentAt(response));
  const hint = hintFor(status, detail, origin);
  const said = messageOf(kind, status, origin, { detail, retryAfterMs });
  const requestId = REQUEST_ID_HEADERS.map((name) => headerOf(response, name)).find((id) => id !== undefined);
  return new ApiError({
    kind,
    status,
    message: hint === undefined ? said : `${said} ${hint}`,
    requestId: requestId === undefined ? undefined : safeText(requestId, secrets),
    fields: fields.length > 0 ? fields : undefined,
    retryAfterMs,
    sent: true,
  });
}

function kindOf(status: number): ApiErrorKind {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 407) return 'proxy';
  if (status === 408) return 'timeout';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rateLimited';
  if (status >= 500) return 'server';
  return status >= 400 ? 'invalid' : 'unexpectedResponse';
}

function messageOf(
  kind: ApiErrorKind,
  status: number,
  origin: string,
  { detail, retryAfterMs }: { detail: string; retryAfterMs: number | undefined },
): string {
  const because = detail === '' ? '.' : `: ${endSentence(detail)}`;
  switch (kind) {
    case 'unauthorized':
      return l10n.t('API key rejected by {0} ({1}){2} Use Set API Key.', origin, status, because);
    case 'forbidden':
      return l10n.t("{0} doesn't allow this with the current API key ({1}){2}", origin, status, because);
    case 'notFound':
      return l10n.t('Not found on {0} ({1}){2}', origin, status, because);
    case 'proxy':
      return l10n.t(
        'A proxy in front of {0} requires a user name and password ({1}). Check http.proxy.',
        origin,
        status,
      );
    case 'conflict':
      return l10n.t('This already exists or is in use on {0} ({1}){2}', origin, status, because);
    case 'rateLimited':
      return retryAfterMs === undefined
        ? l10n.t('{0} is rate-limiting requests ({1}){2} Try again later.', origin, status, because)
        : l10n.t(
            '{0} is rate-limiting requests ({1}). Try again in {2} s.',
            origin,
            status,
            Math.ceil(retryAfterMs / 1000),
          );
    case 'timeout':
    case 'server':
      return l10n.t("{0} couldn't complete the request ({1}){2} Try again later.", origin, status, because);
    case 'cancelled':
    case 'invalid':
    case 'network':
    case 'tls':
    case 'unexpectedResponse':
      return l10n.t('{0} rejected the request ({1}){2}', origin, status, because);
  }
}

/** Suggests a next step when the public service's error message doesn't. */
function hintFor(status: number, detail: string, origin: string): string | undefined {
  const corrected = status === 404 || status === 405 ? correctTracingAddress(origin) : undefined;
  if (corrected !== undefined) {
    return l10n.t('This is the base URL of the tracing service. Use {0} instead.', corrected);
  }
  if (status === 400 && detail.includes('listener_id')) {
    return l10n.t('Choose one of the listeners of your workspace.');
  }
  if (status === 403 && detail.includes('org-scoped')) {
    return l10n.t("Add the header X-Tenant-Id with your workspace ID to the connection's headers.");
  }
  if (status === 403 && detail.includes('not enabled')) {
    return l10n.t('Ask the owner of the organization to enable deployments.');
  }
  if (status === 409 && detail.includes('already exists')) {
    return l10n.t('A tracing project with this name may still exist. Choose another name, or delete the project.');
  }
  return undefined;
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function parseErrorBody(body: Uint8Array): unknown {
  try {
    return isParsable(body) ? JSON.parse(textOf(body)) : undefined;
  } catch {
    return undefined;
  }
}

function detailOf(body: unknown): string {
  if (!isRecord(body)) return '';
  for (const said of [body['detail'], body['message'], body['error'], body['status_message']]) {
    if (typeof said === 'string') return said;
    if (isRecord(said) && typeof said['message'] === 'string') return said['message'];
  }
  return '';
}

function fieldsOf(body: unknown, secrets: readonly string[]): RejectedField[] {
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (!Array.isArray(detail)) return [];
  const refused = detail.slice(0, MAX_FIELDS).filter(isRecord);
  return refused.map(({ loc, msg }) => ({
    path: safeText(Array.isArray(loc) ? pathOf(loc) : '', secrets),
    message: safeText(typeof msg === 'string' ? msg : l10n.t('is invalid'), secrets),
  }));
}

/** The path of a rejected field, without FastAPI's first step (`body`, `query` or `path`). */
function pathOf(loc: readonly unknown[]): string {
  const steps = loc.filter((step) => typeof step === 'string' || typeof step === 'number').map(String);
  return (steps.length > 1 ? steps.slice(1) : steps).join('.');
}

function listFields(fields: readonly RejectedField[]): string {
  const named = fields
    .slice(0, MAX_NAMED_FIELDS)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return fields.length > MAX_NAMED_FIELDS ? `${named.join('; ')}; …` : named.join('; ');
}

/** The time of a response by the service's clock, which may differ from this machine's. */
function sentAt(response: TransportResponse): number {
  const time = Date.parse(headerOf(response, 'date') ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}
