import type { LinePosition } from './specLines.ts';
import { LineIndex, lineStart } from './specLines.ts';
import type { ReadableSpec } from './specYaml.ts';
import { placeOfValue } from './specYamlEdit.ts';

/** The part of the text that one YAML field of the form holds, without the indentation that it has in the whole. */
export interface SpecPart {
  /** Lines end with \n; empty when the key is missing. */
  readonly text: string;
  readonly style: 'inline' | 'block';
  /** The line of the whole text on which the part begins. */
  readonly firstLine: number;
  /** How many columns the part is indented: on its first line, and on the lines below. */
  readonly firstIndent: number;
  readonly indent: number;
}

const nothing: SpecPart = { text: '', style: 'block', firstLine: 1, firstIndent: 0, indent: 0 };

/** Cuts the value of a top-level key out of the text, comments included. */
export function specPart(document: ReadableSpec, key: string): SpecPart {
  const { text, entries, root } = document;
  const entry = entries.get(key);
  if (entry === undefined) return nothing;
  const lines = new LineIndex(text);
  const { bodyStart, isBelow } =
    root?.style === 'flow' ? { bodyStart: entry.valueStart, isBelow: false } : placeOfValue(text, entry);
  const source = text.slice(bodyStart, entry.valueEnd).replaceAll('\r\n', '\n');
  if (!isBelow) {
    const trimmed = source.trimStart();
    const start = bodyStart + source.length - trimmed.length;
    const firstIndent = start - lineStart(text, start);
    return { text: trimmed.trimEnd(), style: 'inline', firstLine: lines.at(start).line, firstIndent, indent: 0 };
  }
  const indent = commonIndent(source);
  const body = source.split('\n').map((line) => line.slice(Math.min(indent, line.length - line.trimStart().length)));
  const firstLine = lines.at(bodyStart).line;
  return { text: body.join('\n').trimEnd(), style: 'block', firstLine, firstIndent: indent, indent };
}

/** The place inside a part of a place in the whole text. */
export function positionInPart(part: SpecPart, { line, column }: LinePosition): LinePosition {
  const lineInPart = Math.max(line - part.firstLine + 1, 1);
  const indent = lineInPart === 1 ? part.firstIndent : part.indent;
  return { line: lineInPart, column: Math.max(column - indent, 1) };
}

function commonIndent(source: string): number {
  let indent = Number.POSITIVE_INFINITY;
  for (const line of source.split('\n')) {
    if (line.trim() !== '') indent = Math.min(indent, line.length - line.trimStart().length);
  }
  return Number.isFinite(indent) ? indent : 0;
}
