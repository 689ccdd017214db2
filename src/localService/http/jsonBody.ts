import { HttpProblem, invalidField } from './problem.ts';

const maxBytes = 1024 * 1024;
const maxDepth = 64;

/**
 * Reads the JSON body of a request.
 * @throws {HttpProblem} 415 for another content type or a compressed body, 413 for more than 1 MiB, 400 for a body that
 * isn't valid UTF-8 or JSON or is nested too deeply, 422 for text, keys, and numbers that can't be stored faithfully
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(request.headers.get('content-type') ?? '')) {
    throw new HttpProblem(415, 'Send the body as application/json in UTF-8.');
  }
  if (request.headers.has('content-encoding')) throw new HttpProblem(415, 'Send the body without compression.');
  const text = decode(await readBytes(request));
  if (isNestedTooDeeply(text)) throw new HttpProblem(400, `The body is nested more than ${maxDepth} levels deep.`);
  const body = parse(text);
  refuseUnstorable(body, ['body']);
  return body;
}

async function readBytes(request: Request): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new HttpProblem(413, `The body is larger than ${maxBytes} bytes.`, { connection: 'close' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpProblem(400, 'The body is not valid UTF-8.');
  }
}

/** Hides the parser's own message, which quotes the text and so may reveal secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'The body is not valid JSON.');
  }
}

/** Checks before parsing, so a hostile body costs only one pass over its characters. */
function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth++;
      if (depth > maxDepth) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}

function refuseUnstorable(value: unknown, loc: readonly (string | number)[]): void {
  if (typeof value === 'string') refuseText(value, loc);
  else if (typeof value === 'number') refuseNumber(value, loc);
  else if (Array.isArray(value)) value.forEach((item, index) => refuseUnstorable(item, [...loc, index]));
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const place = [...loc, key.slice(0, 100)];
      if (key === '__proto__') throw invalidField(place, 'is a key that is not accepted');
      refuseText(key, place);
      refuseUnstorable(member, place);
    }
  }
}

function refuseText(text: string, loc: readonly (string | number)[]): void {
  if (text.includes('\0')) throw invalidField(loc, 'holds a NUL character');
  if (/\p{Cs}/u.test(text)) throw invalidField(loc, 'holds half of a Unicode character');
}

/** Rejects infinite numbers, and whole numbers beyond 2^53, which would be rounded silently. */
function refuseNumber(number: number, loc: readonly (string | number)[]): void {
  if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) return;
  throw invalidField(loc, 'is too large a number');
}
