import { LineCounter } from 'yaml';

/** A place in a text as people count: the first line is 1 and so is the first column. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Cuts a text into lines once, to find the places of its offsets. */
export function positionsIn(text: string): (offset: number) => LinePosition {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) counter.addNewLine(end + 1);
  return (offset) => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column };
  };
}

/** How many characters a line is indented. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** How many characters every line that is not blank is indented at least. */
export function commonIndent(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  return indents.length === 0 ? 0 : indents.reduce((least, indent) => Math.min(least, indent));
}

/** Moves lines to the left, blank ones as far as they go. */
export function outdented(lines: readonly string[], indent: number): string {
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n');
}

/** The offset at which the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset behind the line break that ends the line of an offset, or the end of the text. */
export function nextLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
