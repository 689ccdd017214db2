import { LineCounter } from 'yaml';

/** A location in a text. Line and column count from 1. */
export interface LinePosition {
  readonly line: number;
  readonly column: number;
}

/** Splits a text into lines once and returns a function that locates offsets. */
export function positionsIn(text: string): (offset: number) => LinePosition {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) counter.addNewLine(end + 1);
  return (offset) => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column };
  };
}

/** The indentation of a line, in characters. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The smallest indentation of all lines that aren't blank, in characters. */
export function commonIndent(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  return indents.length === 0 ? 0 : indents.reduce((least, indent) => Math.min(least, indent));
}

/** Removes up to `indent` characters of indentation from each line. */
export function outdented(lines: readonly string[], indent: number): string {
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n');
}

/** The offset of the start of a line, from any offset in the line. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line break of a line, from any offset in the line, or the end of the text. */
export function nextLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
