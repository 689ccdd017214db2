import { isScalar } from 'yaml';
import { editorOf, isNumberKey, placeOf } from './fields.ts';
import type { NumberKey, SpecKey } from './fields.ts';
import { hasItems } from './items.ts';
import { numberWithUnit } from './numbers.ts';
import { isAbsent, isSpecList, isSpecMap } from '../yaml/value.ts';
import type { SpecMap, SpecValue } from '../yaml/value.ts';
import type { ReadableSpec } from '../yaml/document.ts';
import type { YamlEdit } from '../yaml/edit.ts';
import { memberAt, scalarText } from '../yaml/placement.ts';
import type { FieldText } from '../yaml/placement.ts';
import { specPart, writtenYaml } from './part.ts';
import { rowEdits, type NameAndValue } from './rows.ts';

/** The content of one form field. Rows, names and items become YAML if they can't show the spec's value. */
export type FieldContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'rows'; readonly rows: readonly NameAndValue[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'items'; readonly items: readonly SpecMap[] }
  | { readonly kind: 'yaml'; readonly text: string };

/** @param asYaml whether the user wants to see YAML */
export function fieldContent(document: ReadableSpec, key: SpecKey, asYaml = false): FieldContent {
  const editor = editorOf(key);
  if (editor === 'text') return { kind: editor, text: scalarSource(document, key) };
  const value = document.spec[key];
  const inForm = asYaml ? undefined : { rows: rowsOf, names: namesOf, items: itemsIn }[editor](value);
  return inForm ?? { kind: 'yaml', text: specPart(document, key).text };
}

/** What is typed into a field as a whole. Items are edited one value at a time. */
export type FieldInput = Exclude<FieldContent, { readonly kind: 'items' }>;

/** The edits that the user's input of a whole field means. Of rows and names, only what differs is written. */
export function fieldEdits(document: ReadableSpec, key: SpecKey, content: FieldInput): readonly YamlEdit[] {
  const [present, wanted] = [rowsIn(fieldContent(document, key)), rowsIn(content).filter(isFilled)];
  const edits = rowEdits(key, content.kind === 'rows', present, wanted);
  return edits ?? [{ kind: 'set', path: [key], value: encodeField(key, content) }];
}

/** The rows of a field. A name is a row without a value. */
export function rowsIn(content: FieldContent): readonly NameAndValue[] {
  if (content.kind === 'rows') return content.rows;
  return content.kind === 'names' ? content.names.map((name) => ({ name, value: '' })) : [];
}

export function isFilled({ name, value }: NameAndValue): boolean {
  return name !== '' || value !== '';
}

/** The text to write for the user's input, as typed. Undefined removes the key. */
export function encodeField(key: SpecKey, content: FieldInput): FieldText | undefined {
  switch (content.kind) {
    case 'text':
      return fieldText(
        isNumberKey(key) ? numberText(plainNumber(key, content.text)) : content.text && scalarText(content.text),
      );
    case 'rows':
      return blockText(
        rowsIn(content)
          .filter(isFilled)
          .map(({ name, value }) => `${scalarText(name)}: ${scalarText(value)}`),
      );
    case 'names':
      return blockText(
        rowsIn(content)
          .filter(isFilled)
          .map(({ name }) => `- name: ${scalarText(name)}`),
      );
    case 'yaml':
      return writtenYaml(content.text);
  }
}

/** The input of a number field, without its unit if the unit can be converted. */
export function plainNumber(key: NumberKey, text: string): string {
  const trimmed = text.trim();
  return String(numberWithUnit(placeOf(key).role, trimmed) ?? trimmed);
}

/** Keeps a number as typed. Anything else becomes text, for the rules to explain. */
function numberText(text: string): string {
  return /^-?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? text : text && JSON.stringify(text);
}

function fieldText(text: string, style: FieldText['style'] = 'inline'): FieldText | undefined {
  return text === '' ? undefined : { style, text };
}

function blockText(lines: readonly string[]): FieldText | undefined {
  return fieldText(lines.join('\n'), 'block');
}

/** A scalar as the form shows it: the source of plain values, the content of quoted ones. */
function scalarSource(document: ReadableSpec, key: SpecKey): string {
  const node = memberAt(document.text, document.root, key)?.node;
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

function itemsIn(value: SpecValue | undefined): FieldContent | undefined {
  return hasItems(value) ? { kind: 'items', items: value ?? [] } : undefined;
}
