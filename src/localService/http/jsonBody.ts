import { buffer } from 'node:stream/consumers';
import { isParsable } from '../../api/schema/parsable.ts';
import { limitedBytes } from '../limitedBytes.ts';
import { HttpProblem, invalidField } from './route.ts';

const maxBytes = 1024 * 1024;

/** Stands for the answers that repeat a body: a page has two levels more, and fewer than a hundred values more. */
const [pageStart, pageEnd] = [Buffer.from(`[[${'0,'.repeat(98)}`), Buffer.from(']]')];

/**
 * Reads the JSON body of a request.
 * @throws {HttpProblem} 415 for another content type or a compressed body, 413 for more than 1 MiB, 400 for a body that
 * isn't valid UTF-8 or JSON or that clients couldn't read back, 422 for text, keys, and numbers that can't be stored faithfully
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(request.headers.get('content-type') ?? '')) {
    throw new HttpProblem(415, 'Send the body as application/json in UTF-8.');
  }
  if (request.headers.has('content-encoding')) throw new HttpProblem(415, 'Send the body without compression.');
  const bytes = await readBytes(request);
  if (!isParsable(Buffer.concat([pageStart, bytes, pageEnd]))) {
    throw new HttpProblem(400, 'The body has too many or too deeply nested values.');
  }
  const body = parse(decode(bytes));
  refuseUnstorable(body, ['body']);
  return body;
}

async function readBytes(request: Request): Promise<Buffer> {
  const tooLarge = () => new HttpProblem(413, `The body is larger than ${maxBytes} bytes.`, { connection: 'close' });
  return buffer(limitedBytes(request.body ?? [], maxBytes, tooLarge));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, "The body isn't valid UTF-8.");
  }
}

/** Hides the parser's own message, which quotes the text and so may reveal secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, "The body isn't valid JSON.");
  }
}

function refuseUnstorable(value: unknown, loc: readonly (string | number)[]): void {
  if (typeof value === 'string') return refuseText(value, loc);
  if (typeof value === 'number') return refuseNumber(value, loc);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const place = [...loc, Array.isArray(value) ? Number(key) : key.slice(0, 100)];
    if (key === '__proto__') throw invalidField(place, "isn't an allowed key");
    refuseText(key, place);
    refuseUnstorable(member, place);
  }
}

function refuseText(text: string, loc: readonly (string | number)[]): void {
  if (text.includes('\0')) throw invalidField(loc, 'contains a NUL character');
  if (/\p{Cs}/u.test(text)) throw invalidField(loc, 'contains an incomplete Unicode character');
}

/** Rejects infinite numbers, and whole numbers beyond 2^53, which would be rounded silently. */
function refuseNumber(number: number, loc: readonly (string | number)[]): void {
  if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) return;
  throw invalidField(loc, 'is too large');
}
