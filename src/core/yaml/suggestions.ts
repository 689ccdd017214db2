import { stringify } from 'yaml';
import type * as z from 'zod/mini';
import { cursorPlace, type CursorPlace } from './cursor.ts';
import { fieldAt, fieldsAt, type HelpedField } from './help.ts';
import { scalarText } from './placement.ts';

interface FieldSuggestion {
  readonly kind: 'key' | 'value';
  readonly label: string;
  /** What is inserted instead of a begun word or string. */
  readonly insert: string;
  /** The same with a value and places to fill in, as the editor's snippets have them. */
  readonly snippet?: string;
  readonly help: string | undefined;
}

/** A text, valid or not, and the schema of what it should be. It is read as YAML, otherwise as JSON. */
export interface HelpedText {
  readonly text: string;
  readonly isYaml: boolean;
  readonly schema: z.core.$ZodType;
}

/** Suggests the keys and values that fit at an offset of a text. */
export function fieldSuggestions({ text, isYaml, schema }: HelpedText, offset: number): readonly FieldSuggestion[] {
  const place = isYaml ? yamlPlace(text, offset) : jsonPlace(text, offset);
  if (place === undefined) return [];
  if (place.key !== undefined) {
    const field = fieldAt(schema, [...place.parents, place.key]);
    return (field?.values ?? []).map((value): FieldSuggestion => {
      const insert = isYaml && typeof value === 'string' ? scalarText(value) : JSON.stringify(value);
      return { kind: 'value', label: insert, insert, help: undefined };
    });
  }
  return Object.entries(fieldsAt(schema, place.parents) ?? {})
    .filter(([name, { help }]) => help !== undefined && !place.siblings.has(name))
    .map(([name, { help, snippet }]) => {
      const insert = `${isYaml ? name : JSON.stringify(name)}: `;
      const more =
        snippet === undefined
          ? undefined
          : { snippet: isYaml ? yamlSnippet(name, snippet) : insert + JSON.stringify(snippet, undefined, 2) };
      return { kind: 'key', label: name, insert, help: help?.(), ...more };
    });
}

/** Without quotes around the places to fill in, which aren't YAML yet. */
function yamlSnippet(name: string, value: object): string {
  return stringify({ [name]: value }, { lineWidth: 0 }).trimEnd();
}

/** The help for the key that ends at an offset of a text, before its colon. */
export function fieldHelpAt({ text, isYaml, schema }: HelpedText, offset: number): HelpedField | undefined {
  const afterColon = text.indexOf(':', offset) + 1;
  const place = isYaml ? yamlPlace(text, afterColon) : jsonPlace(text, afterColon);
  const fields = place && fieldsAt(schema, place.parents);
  const { key } = place ?? {};
  return fields !== undefined && key !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function yamlPlace(text: string, offset: number): CursorPlace {
  const before = text.slice(0, offset).split('\n');
  return cursorPlace(text.split(/\r?\n/), before.length - 1, (before.at(-1) ?? '').length);
}

/** An object or a list around the cursor. */
interface Level {
  readonly isMap: boolean;
  readonly keys: Set<string>;
  /** The key whose value comes next or is open. */
  key: string | undefined;
}

const token = /"(?:[^"\\\n]|\\.)*"?|[{}[\]:,]/g;

/** The surroundings of the cursor in JSON that may be incomplete. Undefined outside of objects. */
function jsonPlace(text: string, offset: number): CursorPlace | undefined {
  const open: Level[] = [];
  let place: CursorPlace | undefined;
  let isFound = false;
  let last = '';
  for (const { 0: part, index } of text.matchAll(token)) {
    const isString = part.startsWith('"');
    // A string that the cursor is in or after is being typed.
    if (!isFound && (isString ? index + part.length >= offset : index >= offset)) {
      isFound = true;
      place = placeIn(open);
    }
    const level = open.at(-1);
    if (isString) last = part.replaceAll('"', '');
    else if (part === '{' || part === '[') open.push({ isMap: part === '{', keys: new Set(), key: undefined });
    else if (part === '}' || part === ']') open.pop();
    else if (level !== undefined) {
      level.key = part === ':' ? last : undefined;
      if (part === ':') level.keys.add(last);
    }
  }
  return isFound ? place : placeIn(open);
}

/** The keys after the cursor are still added to the siblings. */
function placeIn(open: readonly Level[]): CursorPlace | undefined {
  const level = open.at(-1);
  if (level?.isMap !== true) return undefined;
  const parents = open.slice(0, -1).flatMap(({ key }) => key ?? []);
  return { parents, key: level.key, siblings: level.keys };
}
