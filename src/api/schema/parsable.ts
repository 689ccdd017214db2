import { MAX_DEPTH, MAX_DIGIT_TEXTS, MAX_MEMBERS, MAX_VALUES } from './limits.ts';

/**
 * Whether JSON can be parsed and read in a short time: has few values, no object has many, and none lies deep.
 * Many small values take far longer than one long text, so they are counted first. Long texts of digits are counted apart.
 */
export function isParsable(json: Uint8Array): boolean {
  let values = 1;
  let depth = 0;
  let digitTexts = 0;
  let textStart = 0;
  let isInText = false;
  let isDigits = false;
  // Of the object at each depth. A colon is always in an object.
  const members = new Uint32Array(MAX_DEPTH + 1);
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place] ?? 0;
    if (isInText) {
      if (byte === byteOf.quote) {
        isInText = false;
        if (isDigits && place - textStart - 1 > shortDigits) digitTexts += 1;
      } else if (byte === byteOf.backslash) {
        // The rest of an escaped digit, such as \u0031, is digits too.
        place += 1;
      } else if (byte < byteOf.zero || byte > byteOf.nine) isDigits = false;
    } else if (byte === byteOf.quote) {
      isInText = true;
      isDigits = true;
      textStart = place;
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
