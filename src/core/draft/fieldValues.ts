import { secretsIn } from '../../api/redaction/hideValues.ts';
import type { Source } from '../../api/schema/enums.ts';
import { isRecord } from '../../api/schema/json.ts';
import {
  draftFields,
  fieldsOf,
  plainFields,
  type DraftField,
  type FieldFacts,
  type GuardedField,
  type PlainField,
  type TextFieldFacts,
} from './fields.ts';

/** The values of plain fields. Missing for a field that has none, or that the source doesn't have. */
export type PlainValues = {
  [Field in PlainField]?:
    | ((typeof draftFields)[Field] extends { readonly usual: boolean } ? boolean : string)
    | undefined;
};

/**
 * The values of a source's plain fields. One that is no value of its field counts as missing, and the usual one is taken.
 * A text that can't be left out is empty then.
 */
export function plainValues(
  { source }: { readonly source: Source },
  valueOf: (field: PlainField) => unknown,
): PlainValues {
  const values: PlainValues = {};
  const fields = fieldsOf({ source });
  for (const field of plainFields.filter((each) => fields.includes(each))) {
    const { usual, isOptional }: FieldFacts & Partial<TextFieldFacts> = draftFields[field];
    const type = isSwitch(field) ? 'boolean' : 'string';
    const value = [valueOf(field), usual].find((each) => typeof each === type && each !== '');
    Object.assign(values, { [field]: value ?? (isOptional ? undefined : '') });
  }
  return values;
}

/** Whether a plain field is either on or off. */
export function isSwitch(field: PlainField): boolean {
  const { usual }: FieldFacts = draftFields[field];
  return typeof usual === 'boolean';
}

/** The value at a key of a file for what is chosen or typed on the page. */
export function valueOfInput(key: string, input: string): string | boolean {
  const facts: readonly FieldFacts[] = Object.values(draftFields);
  const { choices = [] } = facts.find((each) => each.key === key) ?? {};
  return choices.find((choice) => String(choice) === input) ?? input;
}

/** The value of a field in a request or a record of the service. */
export function valueIn(resource: unknown, field: DraftField): unknown {
  const path: readonly string[] = draftFields[field].path.split('.');
  return path.reduce((value, name) => (isRecord(value) ? value[name] : undefined), resource);
}

/** A field's value in a request by its own name, which tells whether it may be secret. */
export function namedValue(field: DraftField, value: unknown): Readonly<Record<string, unknown>> {
  return { [draftFields[field].path.split('.').at(-1) ?? field]: value };
}

/** Whether the value of a field may contain a secret. */
export function mayBeSecret(field: GuardedField, value: unknown): boolean {
  return secretsIn(namedValue(field, value)).length > 0;
}
