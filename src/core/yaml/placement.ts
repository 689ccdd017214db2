import { isCollection, isMap, isScalar, isSeq } from 'yaml';
import type { YAMLMap, YAMLSeq } from 'yaml';
import { parseSpecYaml, rangeOf, scalarKey } from './document.ts';
import type { Member, ReadableSpec } from './document.ts';
import type { SpecPath } from './value.ts';

/** The text after a key or a dash: on its own line, or indented on the lines below. Lines end with \n. */
export interface FieldText {
  readonly style: 'inline' | 'block';
  readonly text: string;
}

/** A part of a text and what takes its place. Offsets count UTF-16 units. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Collection = YAMLMap | YAMLSeq;

/** What a step of a path leads to, in a map or a list. Undefined if there is no such member. */
export function memberAt(text: string, container: unknown, step: string | number | undefined): Member | undefined {
  const isContainer = step !== undefined && (isMap(container) || isSeq(container));
  return isContainer ? nthMember(text, container, indexOf(container, step)) : undefined;
}

/** Where the value or the key at a path is in a text: at most one line, and never empty if there is a key. */
export function rangeAt(
  text: string,
  root: unknown,
  path: SpecPath,
  at: 'key' | 'value',
): readonly [start: number, end: number] {
  let place: Member = { start: 0, markEnd: 0, afterMark: 0, valueStart: 0, valueEnd: 0, node: root };
  for (const step of path) {
    const next = memberAt(text, place.node, step);
    if (next === undefined) break;
    place = next;
  }
  const isAtKey = at === 'key' || place.valueStart >= place.valueEnd;
  const [start, placeEnd] = isAtKey ? [place.start, place.markEnd] : [place.valueStart, place.valueEnd];
  const [line = ''] = text.slice(start).split('\n', 1);
  return [start, Math.min(placeEnd, start + Math.max(line.trimEnd().length, 1))];
}

/** The member at a position. Undefined for one that isn't written as usual. */
function nthMember(text: string, container: Collection, index: number): Member | undefined {
  if (isSeq(container)) return itemMember(text, container, container.items[index]);
  const pair = container.items[index];
  const [start, markEnd] = rangeOf(pair?.key) ?? [];
  if (start === undefined || markEnd === undefined) return undefined;
  const afterMark = text.indexOf(':', markEnd) + 1;
  const [valueStart, valueEnd] = rangeOf(pair?.value) ?? [afterMark, afterMark];
  return { start, markEnd, afterMark, valueStart, valueEnd, node: pair?.value };
}

function itemMember(text: string, list: YAMLSeq, node: unknown): Member | undefined {
  const range = rangeOf(node);
  if (range === undefined || !list.range) return undefined;
  const [valueStart, valueEnd] = range;
  const place = { valueStart, valueEnd, node };
  if (list.flow) return { start: valueStart, markEnd: valueEnd, afterMark: valueStart, ...place };
  const [first] = list.range;
  const column = first - lineStart(text, first);
  // Comments, tags and anchors may be between a dash and its value.
  let line = lineStart(text, valueStart);
  while (line > first && !/^ *-$/.test(text.slice(line, line + column + 1))) line = lineStart(text, line - 1);
  const start = line + column;
  return text[start] === '-' ? { start, markEnd: start + 1, afterMark: start + 1, ...place } : undefined;
}

/** The position of a step among the members: of an item, of a key, of which the last one counts as in JSON, or -1. */
function indexOf(container: Collection, step: string | number): number {
  if (isSeq(container)) return typeof step === 'number' && step < container.items.length ? step : -1;
  return container.items.findLastIndex(({ key }) => isScalar(key) && scalarKey(key) === step);
}

/**
 * The change of a text that sets or removes the value at a path. Undefined if only a larger change could.
 * @param order the keys in the order of a new document, those of a map with its key before them, such as "resources/cpu"
 */
export function valueChange(
  { text, root }: ReadableSpec,
  path: SpecPath,
  value: FieldText | undefined,
  order: readonly string[],
): Replacement | undefined {
  let container: unknown = root;
  let owner: { readonly member: Member; readonly container: Collection } | undefined;
  for (const [depth, step] of path.entries()) {
    const inner = value && nested(path.slice(depth + 1), value);
    if (container === undefined) return inner && topInsertion(text, step, inner);
    if (!isMap(container) && !isSeq(container)) return undefined;
    const index = indexOf(container, step);
    if (index === -1) return inner && insertion(text, container, path.slice(0, depth + 1), inner, order);
    const member = nthMember(text, container, index);
    if (member === undefined) return undefined;
    const { node } = member;
    const isTarget = depth === path.length - 1;
    if (inner !== undefined && (isTarget || isEmpty(node))) return replacement(text, container, member, inner);
    if (isTarget) {
      if (container.items.length > 1 || owner === undefined) return removal(text, container, index);
      const empty: FieldText = { style: 'inline', text: isSeq(container) ? '[]' : '{}' };
      return replacement(text, owner.container, owner.member, empty);
    }
    owner = { member, container };
    container = node;
  }
  return undefined;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null) || (isCollection(node) && node.items.length === 0);
}

/** Writes the keys and dashes that lead to a value. */
function nested(path: SpecPath, value: FieldText): FieldText {
  return path.reduceRight<FieldText>((inner, step) => {
    const text =
      typeof step === 'number' ? `-${afterDash(inner, '  ')}` : `${scalarText(step)}:${afterColon(inner, '  ')}`;
    return { style: 'block', text };
  }, value);
}

function afterColon({ style, text }: FieldText, indent: string, eol = '\n'): string {
  return style === 'inline' ? ` ${text}` : eol + indented(text, indent, eol);
}

function afterDash({ text }: FieldText, indent: string, eol = '\n'): string {
  return ` ${indented(text, indent, eol).slice(indent.length)}`;
}

/** Formats a text for YAML. Adds quotes unless YAML certainly reads it as text, also in version 1.1. */
export function scalarText(text: string): string {
  return /^[A-Za-z_/][\w./@-]*(?::[\w./@-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

/** Writes a value in a map or list in braces or brackets, as JSON, which such a text usually is. */
function jsonText(value: FieldText): string | undefined {
  const parsed = parseSpecYaml(value.text);
  return parsed.kind === 'parsed' ? JSON.stringify(parsed.value) : undefined;
}

/** The indentation of a member's lines. Undefined if anything but dashes is before it on its line. */
function indentOf(text: string, { start }: Member): string | undefined {
  const before = text.slice(lineStart(text, start), start);
  return /^ *(?:- +)*$/.test(before) ? ' '.repeat(before.length) : undefined;
}

function replacement(text: string, container: Collection, member: Member, value: FieldText): Replacement | undefined {
  const { afterMark, valueStart, valueEnd: end } = member;
  if (container.flow) {
    const json = jsonText(value);
    return json === undefined ? undefined : { start: valueStart, end, text: json };
  }
  const indent = indentOf(text, member);
  if (indent === undefined) return undefined;
  const { isBelow, bodyStart, endsLine } = placeOfValue(text, member);
  const eol = eolOf(text);
  const lastEol = endsLine ? eol : '';
  if (isSeq(container)) {
    return { start: afterMark, end, text: afterDash(value, `${indent}  `, eol) + lastEol };
  }
  if (value.style === 'inline') {
    const keepsSpaces = !isBelow && /^[ ]+$/.test(text.slice(afterMark, valueStart));
    return keepsSpaces
      ? { start: valueStart, end, text: value.text + (text[end] === '#' ? ' ' : lastEol) }
      : { start: afterMark, end, text: ` ${value.text}${lastEol}` };
  }
  const lines = indented(value.text, `${indent}  `, eol) + lastEol;
  if (isBelow) return { start: bodyStart, end, text: lines };
  const comment = endsLine ? '' : text.slice(end, nextLineStart(text, end)).trimEnd();
  return { start: afterMark, end: end + comment.length, text: comment + eol + lines };
}

/** The offsets of a value's parts in a block map or list. */
export interface ValuePlace {
  /** Whether the value starts on a line below its key, with at most a comment after the colon. */
  readonly isBelow: boolean;
  /** The start of the value's text: after the colon, or on the line below it. */
  readonly bodyStart: number;
  /** Whether the value includes its final line break, as block values do. */
  readonly endsLine: boolean;
  /** The start of the line after the value. */
  readonly entryEnd: number;
}

export function placeOfValue(text: string, { afterMark, valueStart, valueEnd }: Member): ValuePlace {
  const below = nextLineStart(text, afterMark);
  const isBelow = valueStart >= below && /^[ \t]*(#.*)?\r?\n?$/.test(text.slice(afterMark, below));
  const endsLine = valueEnd > afterMark && lineStart(text, valueEnd) === valueEnd;
  const entryEnd = endsLine ? valueEnd : nextLineStart(text, valueEnd);
  return { isBelow, bodyStart: isBelow ? below : afterMark, endsLine, entryEnd };
}

function topInsertion(text: string, step: string | number, value: FieldText): Replacement {
  return lineInsertion(text, text.length, `${scalarText(String(step))}:${afterColon(value, '  ', eolOf(text))}`);
}

/** Inserts a new key after the key that precedes it in the order, or at the end; or a new item at the end. */
function insertion(
  text: string,
  container: Collection,
  path: SpecPath,
  value: FieldText,
  order: readonly string[],
): Replacement | undefined {
  const step = path.at(-1) ?? '';
  const { length } = container.items;
  const last = nthMember(text, container, length - 1);
  if (isSeq(container) !== (step === length)) return undefined;
  if (container.flow || last === undefined) return flowInsertion(container, last, step, value);
  const eol = eolOf(text);
  const first = nthMember(text, container, 0) ?? last;
  const column = first.start - lineStart(text, first.start);
  const indent = ' '.repeat(column);
  if (indentOf(text, first) === undefined) return undefined;
  if (isSeq(container)) {
    const item = `${indent}-${afterDash(value, `${indent}  `, eol)}`;
    return lineInsertion(text, placeOfValue(text, last).entryEnd, item);
  }
  const nameOf = (key: string): string => [...path.slice(0, -1), key].join('/');
  const earlier = new Set(order.slice(0, order.indexOf(nameOf(String(step)))));
  const keys = container.items.map(({ key }) => (isScalar(key) ? scalarKey(key) : ''));
  const index = keys.findLastIndex((key) => earlier.has(nameOf(key)));
  const previous = nthMember(text, container, index) ?? last;
  const line = `${indent}${scalarText(String(step))}:${afterColon(value, `${indent}  `, eol)}`;
  return lineInsertion(text, placeOfValue(text, previous).entryEnd, line);
}

function lineInsertion(text: string, start: number, line: string): Replacement {
  const eol = eolOf(text);
  const before = start > 0 && text[start - 1] !== '\n' ? eol : '';
  return { start, end: start, text: before + line + eol };
}

function flowInsertion(
  container: Collection,
  last: Member | undefined,
  step: string | number,
  value: FieldText,
): Replacement | undefined {
  const json = jsonText(value);
  if (json === undefined || !container.range) return undefined;
  const start = last?.valueEnd ?? container.range[0] + 1;
  const key = isSeq(container) ? '' : `${JSON.stringify(step)}: `;
  return { start, end: start, text: `${last === undefined ? '' : ', '}${key}${json}` };
}

/** The change that removes a member. Undefined if only a larger change could. */
export function removal(text: string, container: Collection, index: number): Replacement | undefined {
  const [previous, member, next] = [-1, 0, 1].map((offset) => nthMember(text, container, index + offset));
  if (member === undefined) return undefined;
  if (container.flow) {
    if (next !== undefined) return { start: member.start, end: next.start, text: '' };
    return { start: previous?.valueEnd ?? member.start, end: member.valueEnd, text: '' };
  }
  const start = lineStart(text, member.start);
  if (text.slice(start, member.start).trim() === '') {
    return { start, end: placeOfValue(text, member).entryEnd, text: '' };
  }
  // The key after a dash: the next key takes its place.
  return next && indentOf(text, member) !== undefined ? { start: member.start, end: next.start, text: '' } : undefined;
}

/** The change that gives a key another name. Undefined for one that isn't written as usual. */
export function renaming({ text, root }: ReadableSpec, path: SpecPath, name: string): Replacement | undefined {
  const map = path.length > 1 ? root?.getIn(path.slice(0, -1), true) : root;
  const member = memberAt(text, map, path.at(-1));
  const isSame = name === path.at(-1);
  return (
    member && { start: member.start, end: isSame ? member.start : member.markEnd, text: isSame ? '' : scalarText(name) }
  );
}

/** The change that exchanges the lines of a list item and the next one. */
export function exchange({ text, root }: ReadableSpec, path: SpecPath, index: number): Replacement | undefined {
  const container = root?.getIn(path, true);
  if (!isSeq(container)) return undefined;
  const [first, second] = [nthMember(text, container, index), nthMember(text, container, index + 1)];
  if (first === undefined || second === undefined) return undefined;
  const ofFlow = ({ valueStart, valueEnd }: Member): [number, number] => [valueStart, valueEnd];
  const ofLines = (member: Member): [number, number] => [
    lineStart(text, member.start),
    placeOfValue(text, member).entryEnd,
  ];
  const spanOf = container.flow ? ofFlow : ofLines;
  const [[start, firstEnd], [secondStart, end]] = [spanOf(first), spanOf(second)];
  if (!container.flow && text.slice(start, first.start).trim() !== '') return undefined;
  const [upper, between, lower] = [
    text.slice(start, firstEnd),
    text.slice(firstEnd, secondStart),
    text.slice(secondStart, end),
  ];
  const isCut = !container.flow && !lower.endsWith('\n');
  const exchanged = isCut ? lower + eolOf(text) + between + upper.trimEnd() : lower + between + upper;
  return { start, end, text: exchanged };
}

function indented(text: string, indent: string, eol: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : indent + line))
    .join(eol);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line break of a line, from any offset in the line, or the end of the text. */
function nextLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
