import type { LinePosition } from './specLines.ts';
import { commonIndent, indentOf, outdented } from './specLines.ts';
import type { ReadableSpec } from './specYaml.ts';
import { placeOfValue } from './specYamlEdit.ts';

/** The part of the text that one YAML field of the form holds, without the indentation that it has in the whole. */
export interface SpecPart {
  /** Lines end with \n; empty when the key is missing. */
  readonly text: string;
  /** The line of the whole text on which the part begins. */
  readonly firstLine: number;
  /** How many columns the part is indented: on its first line, and on the lines below. */
  readonly firstIndent: number;
  readonly indent: number;
}

const nothing: SpecPart = { text: '', firstLine: 1, firstIndent: 0, indent: 0 };

/** Cuts the value of a top-level key out of the text, comments included. */
export function specPart(document: ReadableSpec, key: string): SpecPart {
  const { entries, root, positionAt } = document;
  const entry = entries.get(key);
  if (entry === undefined) return nothing;
  const { bodyStart, isBelow } = root?.flow
    ? { bodyStart: entry.valueStart, isBelow: false }
    : placeOfValue(document.text, entry);
  const source = document.text.slice(bodyStart, entry.valueEnd).replaceAll('\r\n', '\n');
  const blanks = isBelow ? 0 : indentOf(source);
  const lines = source.slice(blanks).split('\n');
  const indent = isBelow ? commonIndent(lines) : 0;
  const { line: firstLine, column } = positionAt(bodyStart + blanks);
  return { text: outdented(lines, indent).trimEnd(), firstLine, firstIndent: isBelow ? indent : column - 1, indent };
}

/** The place inside a part of a place in the whole text. */
export function positionInPart(part: SpecPart, { line, column }: LinePosition): LinePosition {
  const lineInPart = Math.max(line - part.firstLine + 1, 1);
  const indent = lineInPart === 1 ? part.firstIndent : part.indent;
  return { line: lineInPart, column: Math.max(column - indent, 1) };
}
