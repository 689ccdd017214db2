import { isUtf8 } from 'node:buffer';
import * as l10n from '@vscode/l10n';
import { unexpected } from '../errors.ts';
import { MAX_DEPTH, MAX_MEMBERS, MAX_VALUES } from '../schema/limits.ts';
import type { TransportResponse } from './transport.ts';

/** The first value of a header. The name must be in lowercase. */
export function headerOf(response: TransportResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Parses the JSON of a successful response. Ignores the content type, because gateways get it wrong.
 * @throws ApiError `unexpectedResponse` when the body is empty, not UTF-8, not JSON, or would take too long to
 * parse. Never quotes the body.
 */
export function parseAnswer(response: TransportResponse, origin: string): unknown {
  const { status, body } = response;
  if (body.length === 0) throw unexpected(l10n.t('{0} sent an empty response ({1}).', origin, status), status);
  if (!isUtf8(body)) throw unexpected(l10n.t("{0} sent a response that isn't UTF-8 text.", origin), status);
  if (!isParsable(body)) {
    throw unexpected(
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

/**
 * Whether JSON can be parsed and read in a short time: has few values, no object has many, and none lies deep.
 * Many small values take far longer than one long text, so they are counted first.
 */
export function isParsable(json: Uint8Array): boolean {
  let values = 1;
  let depth = 0;
  let isInText = false;
  // Of the object at each depth. A colon is always in an object.
  const members = new Uint32Array(MAX_DEPTH + 1);
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place];
    if (byte === byteOf.quote) isInText = !isInText;
    else if (isInText) {
      if (byte === byteOf.backslash) place += 1;
    } else if (byte === byteOf.comma) values += 1;
    else if (byte === byteOf.array || byte === byteOf.object) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) return false;
      members[depth] = 0;
    } else if (byte === byteOf.colon) {
      const known = members[depth] ?? 0;
      if (known === MAX_MEMBERS) return false;
      members[depth] = known + 1;
    } else if (byte === byteOf.arrayEnd || byte === byteOf.objectEnd) depth -= 1;
  }
  return values <= MAX_VALUES;
}

const byteOf = {
  quote: 34,
  comma: 44,
  colon: 58,
  array: 91,
  backslash: 92,
  arrayEnd: 93,
  object: 123,
  objectEnd: 125,
} as const;

/** The body as text, without a byte order mark. */
export function textOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isHtml(response: TransportResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return type.includes('html') || /^\s*<(?:!doctype|html)/i.test(textOf(response.body.subarray(0, 200)));
}
