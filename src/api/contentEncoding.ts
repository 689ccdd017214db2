import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { codeOf } from './connectionFailures.ts';
import type { RawResponse } from './exchange.ts';
import { tooLarge, unexpected } from './failures.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import type { TransportResponse } from './transport.ts';

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/**
 * Decodes a compressed answer, never to more than MAX_BODY_BYTES.
 * @throws ApiError `unexpectedResponse` when it is too long, damaged, or in an encoding that was not asked for.
 */
export async function decodeBody(response: RawResponse, origin: string): Promise<TransportResponse> {
  const encoding = response.headers['content-encoding']?.toString().trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || response.body.length === 0) return response;
  const decode = decoderOf(encoding);
  if (decode === undefined) {
    throw unexpected(l10n.t('{0} sent an answer in an encoding that was not asked for.', origin), response.status);
  }
  try {
    return { ...response, body: await decode(response.body, { maxOutputLength: MAX_BODY_BYTES }) };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(origin);
    throw unexpected(l10n.t('{0} sent a compressed answer that is damaged. Try again.', origin), response.status);
  }
}

function decoderOf(encoding: string) {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzip;
    case 'br':
      return brotli;
    default:
      return undefined;
  }
}
