import { isUtf8 } from 'node:buffer';
import * as l10n from '@vscode/l10n';
import { unexpected } from '../errors.ts';
import type { TransportResponse } from './transport.ts';

/** The first value of a header. The name must be in lowercase. */
export function headerOf(response: TransportResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Parses the JSON of a successful response. Ignores the content type, because gateways get it wrong.
 * @throws ApiError `unexpectedResponse` when the body is empty, not UTF-8 or not JSON. Never quotes the body.
 */
export function parseAnswer(response: TransportResponse, origin: string): unknown {
  const { status, body } = response;
  if (body.length === 0) throw unexpected(l10n.t('{0} sent an empty response ({1}).', origin, status), status);
  if (!isUtf8(body)) throw unexpected(l10n.t("{0} sent a response that isn't UTF-8 text.", origin), status);
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
export function textOf(body: Uint8Array): string {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isHtml(response: TransportResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return type.includes('html') || /^\s*<(?:!doctype|html)/i.test(textOf(response.body.subarray(0, 200)));
}
