import { readSpecText } from './document.ts';
import type { ReadableSpec } from './document.ts';
import { placeOfValue } from './edit.ts';
import { commonIndent, indentOf, outdented } from './lines.ts';
import type { LinePosition } from './lines.ts';

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

/**
 * Makes YAML that was cut out of a Kubernetes manifest stand on its own: a first line that lost its indentation in the
 * cutting gets it back, what is indented as a whole moves to the margin, and the line that named the list goes.
 */
export function tidyPastedYaml(pasted: string): string {
  const lines = alignFirstLine(pasted.replaceAll('\r\n', '\n').trimEnd()).split('\n');
  const text = outdented(lines, commonIndent(lines));
  const document = readSpecText(text);
  if (document.kind === 'unreadable') return text;
  const [key, ...others] = document.entries.keys();
  return key !== undefined && others.length === 0 && manifestKeys.has(key) ? specPart(document, key).text : text;
}

/** The keys under which Kubernetes manifests and resource specs keep the lists that the form edits as YAML. */
export const manifestKeys: ReadonlySet<string> = new Set([
  'volumes',
  'volumeMounts',
  'volume_mounts',
  'initContainers',
  'init_containers',
  'containers',
  'sidecars',
  'imagePullSecrets',
  'image_pull_secrets',
]);

/** A selection that begins behind the indentation of its first line: the other lines tell how much is missing. */
function alignFirstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  if (!first.startsWith('- ')) return text;
  const least = commonIndent(rest);
  const beginsItem = rest.some((line) => line.startsWith('- ', least) && indentOf(line) === least);
  return ' '.repeat(Math.max(beginsItem ? least : least - 2, 0)) + text;
}
