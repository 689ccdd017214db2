import { isMap } from 'yaml';
import { parseSpecYaml, positionAt, readSpecText } from '../yaml/document.ts';
import type { LinePosition, Member, ReadableSpec } from '../yaml/document.ts';
import { memberAt, placeOfValue, type FieldText } from '../yaml/placement.ts';
import { isAbsent, isSpecList, sameSpecValue } from '../yaml/value.ts';
import type { SpecPath } from '../yaml/value.ts';

/** The part of the text in one YAML field of the form, without its indentation. */
export interface SpecPart {
  /** Lines end with \n. Empty if the key is missing. */
  readonly text: string;
  /** The line of the whole text where the part starts. */
  readonly firstLine: number;
  /** The indentation that was removed: from the first line, and from the lines below. */
  readonly firstIndent: number;
  readonly indent: number;
}

const nothing: SpecPart = { text: '', firstLine: 1, firstIndent: 0, indent: 0 };

/** Cuts the value of a top-level key out of the text, including comments. */
export function specPart({ text, root }: ReadableSpec, key: string): SpecPart {
  return partAt(text, memberAt(text, root, key), root?.flow === true);
}

function partAt(whole: string, entry: Member | undefined, isFlow: boolean): SpecPart {
  if (entry === undefined) return nothing;
  const { bodyStart, isBelow } = isFlow ? { bodyStart: entry.valueStart, isBelow: false } : placeOfValue(whole, entry);
  const source = whole.slice(bodyStart, entry.valueEnd).replaceAll('\r\n', '\n');
  const blanks = isBelow ? 0 : indentOf(source);
  const lines = source.slice(blanks).split('\n');
  const indent = isBelow ? commonIndent(lines) : 0;
  const { line: firstLine, column } = positionAt(whole, bodyStart + blanks);
  const text = withoutBlankEnd(outdented(lines, indent));
  return { text, firstLine, firstIndent: isBelow ? indent : column - 1, indent };
}

/** The line that starts a document, after comments. */
const documentStart = /^((?:[ \t]*(?:#.*)?\n)*)---(?:[ \t]+#.*|[ \t]*)\n/;
/** The line that ends a document, or starts another one without content. */
const documentEnd = /\n(?:---|\.\.\.)\s*$/;

/** The text to write for YAML of a field, as typed. Undefined removes the key. */
export function writtenYaml(typed: string): FieldText | undefined {
  const whole = typed.replaceAll('\r\n', '\n').replace(documentStart, '$1').replace(documentEnd, '\n');
  const text = withoutBlankEnd(whole).replace(/\n$/, '');
  const parsed = parseSpecYaml(text);
  if (parsed.kind === 'parsed' && isAbsent(parsed.value)) return undefined;
  const isInline = parsed.kind === 'parsed' && typeof parsed.value !== 'object';
  return { style: isInline ? 'inline' : 'block', text };
}

/** Removes blank lines at the end, unless they belong to a block of text. */
function withoutBlankEnd(text: string): string {
  const trimmed = text.trimEnd();
  if (text.length - trimmed.length <= 1 || !/[|>]/.test(text)) return trimmed;
  const [parsed, whole] = [parseSpecYaml(trimmed), parseSpecYaml(text)];
  const isSame = parsed.kind === 'parsed' && whole.kind === 'parsed' && sameSpecValue(parsed.value, whole.value);
  return isSame || whole.kind === 'unreadable' ? trimmed : text;
}

export function positionInPart(part: SpecPart, { line, column }: LinePosition): LinePosition {
  const lineInPart = Math.max(line - part.firstLine + 1, 1);
  const indent = lineInPart === 1 ? part.firstIndent : part.indent;
  return { line: lineInPart, column: Math.max(column - indent, 1) };
}

/**
 * Makes YAML from a Kubernetes manifest usable on its own.
 * Restores the first line's indentation if the selection left it out, removes common indentation, and removes the line
 * that names the list. Of a whole Pod, Deployment or the like, gives the list for a field.
 */
export function tidyPastedYaml(pasted: string, field = ''): string {
  const lines = alignFirstLine(pasted.replaceAll('\r\n', '\n')).split('\n');
  const text = withoutBlankEnd(outdented(lines, commonIndent(lines)));
  for (const document of text.split(/^---(?:[ \t].*)?$/m).map(readSpecText)) {
    if (document.kind === 'unreadable') continue;
    const [key, ...others] = Object.keys(document.spec);
    if (key !== undefined && others.length === 0 && manifestKeys.has(key)) return specPart(document, key).text;
    const part = podPaths.map((path) => partOfPod(document, path, field)).find((found) => found !== undefined);
    if (part !== undefined) return part;
  }
  return text;
}

/** Whether a text is a list in YAML. */
export function isYamlList(text: string): boolean {
  const parsed = parseSpecYaml(text);
  return parsed.kind === 'parsed' && isSpecList(parsed.value);
}

/** The places of a pod in a CronJob, in a Deployment and the like, and in a Pod. */
const podPaths: readonly SpecPath[] = [
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  ['spec', 'template', 'spec'],
  ['spec'],
];

const placesInPod: Partial<Readonly<Record<string, SpecPath>>> = {
  volumes: ['volumes'],
  volume_mounts: ['containers', 0, 'volumeMounts'],
  init_containers: ['initContainers'],
  sidecars: ['containers'],
  image_pull_secrets: ['imagePullSecrets'],
};

function partOfPod({ text, root }: ReadableSpec, podPath: SpecPath, field: string): string | undefined {
  const path = [...podPath, ...(placesInPod[field] ?? [])];
  const owner = root?.getIn(path.slice(0, -1), true);
  if (path.length === podPath.length || !isMap(owner)) return undefined;
  const member = memberAt(text, owner, path.at(-1));
  return member && partAt(text, member, owner.flow === true).text;
}

/** The keys of Kubernetes manifests and resource specs for the lists that the form edits as YAML. */
const manifestKeys: ReadonlySet<string> = new Set([
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

const dashOfItem = /^-(?: +|$)/;

/** Restores the first line's indentation from the other lines, if the selection started after it. */
function alignFirstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const [dash = ''] = dashOfItem.exec(first) ?? [];
  if (dash === '') return text;
  const least = commonIndent(rest);
  const outermost = rest.filter((line) => isContent(line) && indentOf(line) === least);
  // Beside keys, a dash in their column belongs to a list inside, as Go's printers write it.
  const areItems = outermost.every((line) => dashOfItem.test(line.slice(least)));
  return ' '.repeat(Math.max(areItems ? least : least - Math.max(dash.length, 2), 0)) + text;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Whether the indentation of a line counts, which comments may have at will. */
function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

/** The smallest indentation of all lines with content, in characters. */
function commonIndent(lines: readonly string[]): number {
  const indents = lines.filter(isContent).map(indentOf);
  return indents.length === 0 ? 0 : indents.reduce((least, indent) => Math.min(least, indent));
}

/** Removes up to `indent` characters of indentation from each line. */
function outdented(lines: readonly string[], indent: number): string {
  return lines.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n');
}
