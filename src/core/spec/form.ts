import * as l10n from '@vscode/l10n';
import { isScalar } from 'yaml';
import { editorOf, isNumberKey, placeOf } from './fields.ts';
import type { NumberKey, SpecKey } from './fields.ts';
import type { FieldFinding } from './findings.ts';
import { numberWithUnit } from './numbers.ts';
import { isAbsent, isSpecList, isSpecMap } from '../yaml/value.ts';
import type { SpecValue } from '../yaml/value.ts';
import { keyProblem, parseSpecYaml } from '../yaml/document.ts';
import type { ReadableSpec } from '../yaml/document.ts';
import type { FieldText } from './edit.ts';
import { manifestKeys, specPart } from './part.ts';

export interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

/** The content of one form field. Rows and names become YAML if they can't show the spec's value. */
export type FieldContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly NameAndValue[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'yaml'; readonly text: string };

/** The text to write for a field. Undefined removes its key. */
export type EncodedField =
  | { readonly kind: 'encoded'; readonly text: FieldText | undefined }
  | { readonly kind: 'invalid'; readonly findings: readonly FieldFinding[] };

export function fieldContent(document: ReadableSpec, key: SpecKey): FieldContent {
  const editor = editorOf(key);
  if (editor === 'text') return { kind: editor, text: scalarSource(document, key) };
  const value = document.spec[key];
  const simple = editor === 'rows' ? rowsOf(value) : editor === 'names' ? namesOf(value) : undefined;
  return simple ?? { kind: 'yaml', text: specPart(document, key).text };
}

/** Converts the user's input to the text after the key, or explains why that isn't possible. */
export function encodeField(key: SpecKey, content: FieldContent): EncodedField {
  switch (content.kind) {
    case 'text':
      return encoded(isNumberKey(key) ? numberText(plainNumber(key, content.text)) : scalarText(content.text));
    case 'rows':
      return encodeRows(content.rows);
    case 'names':
      return encodeNames(content.names);
    case 'yaml':
      return encodeYaml(key, content.text);
  }
}

/** Formats a text for YAML. Adds quotes unless YAML certainly reads it as text. */
function scalarText(text: string): string {
  return /^[A-Za-z_][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : quoted(text);
}

/** The input of a number field, without its unit if the unit can be converted. */
export function plainNumber(key: NumberKey, text: string): string {
  const trimmed = text.trim();
  return String(numberWithUnit(placeOf(key).role, trimmed) ?? trimmed);
}

/** Keeps a number as typed. Anything else becomes text, for the rules to explain. */
function numberText(text: string): string {
  return /^-?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return text === '' ? '' : JSON.stringify(text);
}

function encoded(text: string, style: FieldText['style'] = 'inline'): EncodedField {
  return { kind: 'encoded', text: text === '' ? undefined : { style, text } };
}

function invalid(message: string): EncodedField {
  return { kind: 'invalid', findings: [{ severity: 'error', message }] };
}

function encodeRows(rows: readonly NameAndValue[]): EncodedField {
  const filled = rows.filter(({ name, value }) => name !== '' || value !== '');
  const seen = new Set<string>();
  for (const { name } of filled) {
    if (name === '') return invalid(l10n.t('A value has no key. Fill in the key or remove the row.'));
    const problem = keyProblem(name, seen);
    if (problem !== undefined) return invalid(problem);
    seen.add(name);
  }
  const lines = filled.map(({ name, value }) => `${scalarText(name)}: ${scalarText(value) || '""'}`);
  return encoded(lines.join('\n'), 'block');
}

function encodeNames(names: readonly string[]): EncodedField {
  const lines = names.filter((name) => name !== '').map((name) => `- name: ${scalarText(name)}`);
  return encoded(lines.join('\n'), 'block');
}

function encodeYaml(key: SpecKey, text: string): EncodedField {
  const body = text.replaceAll('\r\n', '\n').trimEnd();
  const parsed = parseSpecYaml(body);
  if (parsed.kind === 'unreadable') return { kind: 'invalid', findings: parsed.findings };
  if (isAbsent(parsed.value)) return encoded('');
  const wrapper = isSpecMap(parsed.value) ? Object.keys(parsed.value) : [];
  if (wrapper.length === 1 && wrapper[0] !== undefined && manifestKeys.has(wrapper[0]) && editorOf(key) !== 'rows') {
    return invalid(l10n.t('Remove the line "{0}:". Only the list below it belongs here.', wrapper[0]));
  }
  return encoded(body, typeof parsed.value === 'object' ? 'block' : 'inline');
}

/** A scalar as the form shows it: the source of plain values, the content of quoted ones. */
function scalarSource(document: ReadableSpec, key: SpecKey): string {
  const node = document.entries.get(key)?.node;
  if (!isScalar(node)) return specPart(document, key).text;
  if (node.value === null) return '';
  if (typeof node.value === 'string') return node.value;
  return node.source ?? '';
}

function rowsOf(value: SpecValue | undefined): FieldContent | undefined {
  if (isAbsent(value)) return { kind: 'rows', rows: [] };
  if (!isSpecMap(value)) return undefined;
  const rows: NameAndValue[] = [];
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' || text.includes('\n')) return undefined;
    rows.push({ name, value: text });
  }
  return { kind: 'rows', rows };
}

function namesOf(value: SpecValue | undefined): FieldContent | undefined {
  if (isAbsent(value)) return { kind: 'names', names: [] };
  if (!isSpecList(value)) return undefined;
  const names: string[] = [];
  for (const item of value) {
    if (!isSpecMap(item) || Object.keys(item).length !== 1 || typeof item['name'] !== 'string') return undefined;
    names.push(item['name']);
  }
  return { kind: 'names', names };
}
