import { shortened } from './shortened.ts';

/** In characters. */
const longestMessage = 5_000;

/**
 * Breaks a message into lines of at most `limit` characters, the first one of at most `firstLimit`, for places that
 * show each line on its own and cut it off. A sentence that does not fit into the rest of a line begins the next one.
 * One that is too long for a line is broken where a reader pauses, and else between words; a word that is longer than
 * a line stays whole. What nobody would read to its end is cut off.
 */
export function wrapLines(message: string, limit: number, firstLimit = limit): string[] {
  const sentences = shortened(message, longestMessage).split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  const lines: string[] = [];
  for (const sentence of sentences) {
    const room = lines.length <= 1 ? firstLimit : limit;
    const joined = [...lines.slice(-1), sentence].join(' ');
    if (lines.length > 0 && joined.length <= room) lines[lines.length - 1] = joined;
    else for (const line of wrapSentence(sentence, limit, lines.length === 0 ? firstLimit : limit)) lines.push(line);
  }
  return lines;
}

function wrapSentence(sentence: string, limit: number, firstLimit: number): string[] {
  const lines: string[] = [];
  let rest = sentence;
  for (;;) {
    const room = lines.length === 0 ? firstLimit : limit;
    const blank = rest.length > room ? blankToBreakAt(rest, room) : undefined;
    if (blank === undefined) return [...lines, rest];
    lines.push(rest.slice(0, blank));
    rest = rest.slice(blank + 1);
  }
}

function blankToBreakAt(sentence: string, limit: number): number | undefined {
  const line = sentence.slice(0, limit + 1);
  for (const pause of ['; ', ': ', ', ', ' ']) {
    const index = line.lastIndexOf(pause);
    if (index > 0) return index + pause.length - 1;
  }
  const next = sentence.indexOf(' ', 1);
  return next < 0 ? undefined : next;
}
