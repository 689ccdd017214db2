import type { CursorPlace } from '../yaml/cursor.ts';
import { isSpecKey, numberFields, type SpecKey } from './fields.ts';
import { otherShapes } from './shapes.ts';
import type { Shape } from './shapes.ts';

export interface Suggestion {
  readonly kind: 'key' | 'value';
  readonly text: string;
  /** Whether a list or a map follows on the lines below. */
  readonly isBlock: boolean;
}

/** Suggests keys of the spec, of containers and of volumes, and values where there is a choice. */
export function suggestionsAt({ parents, key, siblings }: CursorPlace): readonly Suggestion[] {
  const fields = fieldsBelow(parents);
  if (key !== undefined) return Object.hasOwn(fields, key) ? valuesOf(fields[key]) : [];
  return Object.entries(fields)
    .filter(([name]) => !siblings.has(name))
    .map(([text, field]) => ({ kind: 'key', text, isBlock: field.kind !== 'text' && field.kind !== 'flag' }));
}

/** The key whose help fits the cursor. Only top-level keys have help. */
export function helpKeyAt(place: CursorPlace): SpecKey | undefined {
  return place.parents.length === 0 && place.key !== undefined && isSpecKey(place.key) ? place.key : undefined;
}

/** The fields of a whole spec. There are no values to suggest for numbers, as for most texts. */
const specFields: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(numberFields.map(({ key }) => [key, { kind: 'text' } as const])),
  ...otherShapes,
};

/** The fields of the object to which these keys lead, without list positions. */
export function fieldsBelow(parents: readonly string[]): Readonly<Record<string, Shape>> {
  let fields = specFields;
  for (const name of parents) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const item = shape?.kind === 'list' ? shape.item : shape;
    fields = item?.kind === 'record' ? item.fields : {};
  }
  return fields;
}

function valuesOf(shape: Shape | undefined): readonly Suggestion[] {
  const values = shape?.kind === 'flag' ? ['true', 'false'] : shape?.kind === 'text' ? (shape.values ?? []) : [];
  return values.map((text) => ({ kind: 'value', text, isBlock: false }));
}
