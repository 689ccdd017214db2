import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { isSpecKey, specKeys } from './fields.ts';
import type { SpecKey } from './fields.ts';
import { isAbsent, isSpecMap, sameSpecValue } from '../yaml/value.ts';
import type { SpecMap, SpecValue } from '../yaml/value.ts';
import { deepestNesting, parseSpecYaml, readSpecText, specYamlOptions } from '../yaml/document.ts';
import type { ReadableSpec, SpecEntry } from '../yaml/document.ts';

/** The text after a key: on the key's own line, or indented on the lines below. Lines end with \n. */
export interface FieldText {
  readonly style: 'inline' | 'block';
  readonly text: string;
}

export type EditResult =
  | { readonly kind: 'edited'; readonly document: ReadableSpec }
  | { readonly kind: 'refused'; readonly message: string };

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Sets or removes one top-level key. Refuses an edit that would change another value, or not to the requested one. */
export function setSpecKey(document: ReadableSpec, key: SpecKey, value: FieldText | undefined): EditResult {
  const entry = document.entries.get(key);
  if (entry === undefined && value === undefined) return { kind: 'edited', document };
  if (entry?.sharedAs !== undefined) return refused(sharedMessage(entry.sharedAs));
  const wanted = value === undefined ? undefined : parseSpecYaml(value.text);
  if (wanted?.kind === 'unreadable') return refused(wanted.findings[0].message);
  const change = document.root?.flow ? changeFlow(document, key, wanted?.value) : changeBlock(document, key, value);
  if (change === undefined) return refused(unusualMessage(key));
  const text = document.text.slice(0, change.start) + change.text + document.text.slice(change.end);
  const edited = readSpecText(text);
  if (edited.kind === 'unreadable' || !isOnlyChange(document.spec, edited.spec, key, wanted?.value)) {
    return refused(unusualMessage(key));
  }
  return { kind: 'edited', document: edited };
}

export function sharedMessage(alias: string): string {
  return l10n.t('This value is shared through the alias "{0}". Edit it in the YAML.', alias);
}

function unusualMessage(key: SpecKey): string {
  return l10n.t('The form can\'t change "{0}" without changing other parts of the YAML. Edit it in the YAML.', key);
}

function refused(message: string): EditResult {
  return { kind: 'refused', message };
}

function isOnlyChange(before: SpecMap, after: SpecMap, key: SpecKey, wanted: SpecValue | undefined): boolean {
  const { [key]: _replaced, ...othersBefore } = before;
  const { [key]: value, ...othersAfter } = after;
  return sameSpecValue(othersBefore, othersAfter) && sameSpecValue(value, wanted);
}

function changeBlock(document: ReadableSpec, key: SpecKey, value: FieldText | undefined): Replacement | undefined {
  const { text } = document;
  const entry = document.entries.get(key);
  if (entry === undefined) return value && insertBlock(document, key, value);
  const start = lineStart(text, entry.keyStart);
  const indent = text.slice(start, entry.keyStart);
  if (indent.trim() !== '') return undefined;
  const { afterColon, isBelow, bodyStart, endsLine, entryEnd } = placeOfValue(text, entry);
  if (value === undefined) return { start, end: entryEnd, text: '' };
  const end = entry.valueEnd;
  const eol = eolOf(text);
  const lastEol = endsLine ? eol : '';
  if (value.style === 'inline') {
    const keepsSpaces = !isBelow && /^[ ]+$/.test(text.slice(afterColon, entry.valueStart));
    return keepsSpaces
      ? { start: entry.valueStart, end, text: value.text + (text[end] === '#' ? ' ' : lastEol) }
      : { start: afterColon, end, text: ` ${value.text}${lastEol}` };
  }
  const lines = indented(value.text, `${indent}  `, eol) + lastEol;
  if (isBelow) return { start: bodyStart, end, text: lines };
  const comment = endsLine ? '' : text.slice(end, nextLineStart(text, end)).trimEnd();
  return { start: afterColon, end: end + comment.length, text: comment + eol + lines };
}

/** The offsets of a value's parts in a block map. */
export interface ValuePlace {
  readonly afterColon: number;
  /** Whether the value starts on a line below its key, with at most a comment after the colon. */
  readonly isBelow: boolean;
  /** The start of the value's text: after the colon, or on the line below it. */
  readonly bodyStart: number;
  /** Whether the value includes its final line break, as block values do. */
  readonly endsLine: boolean;
  /** The start of the line after the value. */
  readonly entryEnd: number;
}

export function placeOfValue(text: string, { keyEnd, valueStart, valueEnd }: SpecEntry): ValuePlace {
  const afterColon = text.indexOf(':', keyEnd) + 1;
  const below = nextLineStart(text, afterColon);
  const isBelow = valueStart >= below && /^[ \t]*(#.*)?\r?\n?$/.test(text.slice(afterColon, below));
  const endsLine = valueEnd > afterColon && lineStart(text, valueEnd) === valueEnd;
  const entryEnd = endsLine ? valueEnd : nextLineStart(text, valueEnd);
  return { afterColon, isBelow, bodyStart: isBelow ? below : afterColon, endsLine, entryEnd };
}

/** Inserts a new key after the key that precedes it in the table, or at the end. */
function insertBlock(document: ReadableSpec, key: SpecKey, value: FieldText): Replacement {
  const { text, entries } = document;
  const eol = eolOf(text);
  const present = [...entries.values()];
  const earlier = new Set<string>(specKeys.slice(0, specKeys.indexOf(key)));
  const previous = present.findLast((entry) => earlier.has(entry.key)) ?? present.at(-1);
  const start = previous === undefined ? text.length : placeOfValue(text, previous).entryEnd;
  const first = present[0];
  const indent = first === undefined ? '' : text.slice(lineStart(text, first.keyStart), first.keyStart);
  const body = value.style === 'inline' ? ` ${value.text}` : eol + indented(value.text, `${indent}  `, eol);
  const before = start > 0 && text[start - 1] !== '\n' ? eol : '';
  return { start, end: start, text: `${before}${indent}${key}:${body}${eol}` };
}

/** Edits a top-level map in braces. Writes values as JSON, which such maps usually contain. */
function changeFlow(document: ReadableSpec, key: SpecKey, value: SpecValue | undefined): Replacement | undefined {
  const entries = [...document.entries.values()];
  const index = entries.findIndex((candidate) => candidate.key === key);
  const entry = entries[index];
  if (entry === undefined) {
    const last = entries.at(-1);
    const start = last?.valueEnd ?? (document.root?.range?.[0] ?? 0) + 1;
    const comma = last === undefined ? '' : ', ';
    return { start, end: start, text: `${comma}${JSON.stringify(key)}: ${JSON.stringify(value)}` };
  }
  if (value !== undefined) return { start: entry.valueStart, end: entry.valueEnd, text: JSON.stringify(value) };
  const next = entries[index + 1];
  if (next !== undefined) return { start: entry.keyStart, end: next.keyStart, text: '' };
  return { start: entries[index - 1]?.valueEnd ?? entry.keyStart, end: entry.valueEnd, text: '' };
}

function indented(text: string, indent: string, eol: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line.trimEnd() : indent + line))
    .join(eol);
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset after the line break of a line, from any offset in the line, or the end of the text. */
function nextLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

/** Writes a spec as YAML, with keys in the order of the form. Leaves out empty fields. */
export function specToText(spec: SpecMap): string {
  const others = Object.keys(spec).filter((key) => !isSpecKey(key));
  const keys = [...specKeys, ...others].filter((key) => !isAbsent(spec[key]));
  if (keys.length === 0) return '';
  return stringify(Object.fromEntries(keys.map((key) => [key, spec[key]])), { ...specYamlOptions, lineWidth: 0 });
}

/** Converts a foreign spec to plain values. Leaves out what JSON can't express and levels too deep for the form. */
export function toSpecMap(spec: unknown): SpecMap {
  const plain = toSpecValue(spec, 1);
  return isSpecMap(plain) ? plain : {};
}

function toSpecValue(value: unknown, level: number): SpecValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value !== 'object' || level > deepestNesting) return undefined;
  if (Array.isArray(value)) return value.map((item) => toSpecValue(item, level + 1) ?? null);
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const plain = toSpecValue(member, level + 1);
    return plain === undefined ? [] : [[key, plain] as const];
  });
  return Object.fromEntries(entries);
}
