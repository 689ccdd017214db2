import * as l10n from '@vscode/l10n';

/**
 * Shortens a long text for display. A shortened text ends with "…".
 * Shows characters that change the direction of a text, with which a name can look like another one.
 */
export function shortened(text: string, limit = 60): string {
  return withDirections(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

function withDirections(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, (letter) => {
    const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** Shortens a long name for a narrow place. Names that begin alike keep their ends, which tell them apart. */
export function shortenedName(name: string, limit: number): string {
  if (name.length <= limit) return withDirections(name);
  const end = Math.ceil(((limit - 1) * 2) / 3);
  return withDirections(`${name.slice(0, limit - 1 - end)}…${name.slice(-end)}`);
}

/** A phrase as a sentence of its own. */
export function asSentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}${/[.?]$/.test(phrase) ? '' : '.'}`;
}

/** The first of some names, and how many more there are. */
export function firstNames(names: readonly string[], most = 3): string {
  const first = names.slice(0, most).join(', ');
  return names.length > most ? l10n.t('{0} and {1} more', first, names.length - most) : first;
}

/** The longest message to break into lines, in characters. */
const longestMessage = 5_000;

/**
 * Breaks a message into lines of at most `limit` characters, and `firstLimit` for the first one.
 * For places that show each line separately and cut it off. A sentence that doesn't fit on the rest of a line starts a
 * new one. A sentence longer than a line breaks at a pause, else between words. A word longer than a line stays whole.
 * Very long messages are cut off.
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
 * Formats a row as one phrase for a screen reader: the name and its description.
 * Replaces the separating dots, which would be read aloud, with commas, and leaves out marks of the text's direction.
 */
export function spokenRow(label: string, description: string): string {
  const parts = [label, ...description.split(' · ')].filter((part) => part !== '');
  return parts.join(', ').replaceAll(/⟨U\+[\dA-F]{4}⟩/g, '');
}

/** The longest text that a message quotes, in characters. */
const longestQuote = 2_000;

/** Disables links in foreign text. VS Code turns `[words](address)` into a link, which can even run a command. */
export function withoutLinks(text: string): string {
  return shortened(text, longestQuote).replaceAll('](', '] (');
}

/** The longest text of a quick pick row, in characters. */
const longestRow = 300;

/** Disables icons such as `$(name)` in foreign text for a quick pick or the status bar. */
export function withoutIcons(text: string): string {
  return shortened(text, longestRow).replaceAll('$(', '$ (');
}
