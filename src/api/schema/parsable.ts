import { MAX_DEPTH, MAX_DIGIT_TEXTS, MAX_MEMBERS, MAX_VALUES } from './limits.ts';

/**
 * Whether JSON can be parsed and read in a short time: has few values, no object has many, and none lies deep.
 * Many small values take far longer than one long text, so they are counted first. Long texts of digits are counted apart.
 */
export function isParsable(json: Uint8Array): boolean {
  let values = 1;
  let depth = 0;
  let digitTexts = 0;
  // Of the object at each depth. A colon is always in an object.
  const members = new Uint32Array(MAX_DEPTH + 1);
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place];
    if (byte === byteOf.quote) {
      const start = place + 1;
      place = endOfDigits(json, start);
      if (json[place] !== byteOf.quote) place = endOfText(json, place);
      else if (place - start > shortDigits) digitTexts += 1;
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
  return values <= MAX_VALUES && digitTexts <= MAX_DIGIT_TEXTS;
}

/** The place after a text's leading digits. The rest of an escaped one, such as \u0031, is digits too. */
function endOfDigits(json: Uint8Array, start: number): number {
  let place = start;
  for (;;) {
    const byte = json[place] ?? 0;
    if (byte === byteOf.backslash) place += 2;
    else if (byte >= byteOf.zero && byte <= byteOf.nine) place += 1;
    else return place;
  }
}

/** The place of the quote that ends a text. */
function endOfText(json: Uint8Array, start: number): number {
  let place = start;
  while (place < json.length && json[place] !== byteOf.quote) place += json[place] === byteOf.backslash ? 2 : 1;
  return place;
}

/** Texts of so few digits are too few to be chosen for their hashes. */
const shortDigits = 5;

const byteOf = {
  quote: 34,
  comma: 44,
  zero: 48,
  nine: 57,
  colon: 58,
  array: 91,
  backslash: 92,
  arrayEnd: 93,
  object: 123,
  objectEnd: 125,
} as const;
