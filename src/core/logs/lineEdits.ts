/** Lines that replace others: those from `start` up to `end`, which isn't one of them. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * The few edits that turn the lines of a log into others: of its head, of old lines that are gone, and of new ones.
 * So an editor keeps its place and its selection, and isn't sent the whole text. They don't overlap, and are in order.
 * @param head how many lines stand above the log, in both
 */
export function lineEdits(before: readonly string[], after: readonly string[], head: number): readonly LineEdit[] {
  const gone = linesGone(before, after, head);
  // The last line of both is empty, and no edit may begin behind it.
  const most = Math.min(before.length - gone, after.length) - head - 1;
  let prefix = 0;
  while (prefix < most && before[head + gone + prefix] === after[head + prefix]) prefix += 1;
  const left = most + 1 - prefix;
  let suffix = 0;
  while (suffix < left && before[before.length - 1 - suffix] === after[after.length - 1 - suffix]) suffix += 1;
  return [
    { start: 0, end: head, lines: after.slice(0, head) },
    { start: head, end: head + gone, lines: [] },
    {
      start: head + gone + prefix,
      end: before.length - suffix,
      lines: after.slice(head + prefix, after.length - suffix),
    },
  ].filter(({ start, end, lines }) => {
    const isEqual = end - start === lines.length && lines.every((line, place) => line === before[start + place]);
    return !isEqual;
  });
}

/** How many lines below the head are gone; 0 if that can't be told. */
function linesGone(before: readonly string[], after: readonly string[], head: number): number {
  const [first, second] = after.slice(head);
  const at = before.findIndex((line, place) => place >= head && line === first && before[place + 1] === second);
  return at < 0 ? 0 : at - head;
}
