/** Keeps what is drawn readable when the text that it quotes is not: a longer text ends with "…". */
export function shortened(text: string, limit = 60): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

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

/**
 * A row as one sentence for a screen reader: the name and the words beside it. The dots that part the words on the
 * screen would be read aloud, and commas make the pauses.
 */
export function spokenRow(label: string, description: string): string {
  return [label, ...description.split(' · ')].filter((part) => part !== '').join(', ');
}

/** The most that a message shows, in characters. */
const longestQuote = 2_000;

/**
 * A text of the service or of a person for a message or the prompt of a question, where VS Code makes a link of
 * `[words](address)`, also one that runs a command.
 */
export function withoutLinks(text: string): string {
  return shortened(text, longestQuote).replaceAll('](', '] (');
}

/** The most that a row of a quick pick shows, in characters. */
const longestRow = 300;

/** A text of the service, of a file or of a person for a quick pick or the status bar, where `$(name)` is an icon. */
export function withoutIcons(text: string): string {
  return shortened(text, longestRow).replaceAll('$(', '$ (');
}
