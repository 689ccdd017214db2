import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { nearestNames } from '../text/nearest.ts';
import { shortened } from '../text/text.ts';
import { isSpecMap } from './value.ts';
import type { SpecPath, SpecValue } from './value.ts';

/** What help in the editor says of a field. */
export interface FieldHelp {
  readonly help: () => string;
  /** Values to suggest. Others may be right, too. */
  readonly values?: readonly (string | number | boolean | readonly string[])[];
  /** A value to complete, with places to fill in as the editor's snippets have them. */
  readonly snippet?: Readonly<Record<string, string | Readonly<Record<string, string | number>>>>;
}

/** The words about the fields of schemas, for hovers, completion and the JSON Schema. */
export const helpOfFields = z.registry<FieldHelp>();

/** The schema of a field that can be missing. Null equals absent. */
export function optional<Schema extends z.ZodMiniType>(schema: Schema): z.ZodMiniOptional<z.ZodMiniNullable<Schema>> {
  return z.optional(z.nullable(schema));
}

/** A key that a schema knows at some place. */
export interface HelpedField extends Partial<FieldHelp> {
  readonly schema: z.core.$ZodType;
}

/**
 * The known keys of the object to which these keys lead, without list positions.
 * Undefined where a schema leaves the keys to the user, such as names of graphs.
 */
export function fieldsAt(
  root: z.core.$ZodType,
  parents: readonly string[],
): Readonly<Record<string, HelpedField>> | undefined {
  const schema = schemaAt(root, parents);
  const object = schema && plainSchemas(schema).find((option) => option instanceof z.ZodMiniObject);
  if (object === undefined) return undefined;
  const shape: Readonly<Record<string, z.core.$ZodType>> = object.shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, member]) => [key, { ...helpOfFields.get(member), schema: member }]),
  );
}

/** What is known of the key to which these keys lead, without list positions. */
export function fieldAt(root: z.core.$ZodType, path: readonly string[]): HelpedField | undefined {
  const schema = schemaAt(root, path);
  return schema && { ...helpOfFields.get(schema), schema };
}

function schemaAt(root: z.core.$ZodType, path: readonly string[]): z.core.$ZodType | undefined {
  let schema: z.core.$ZodType | undefined = root;
  for (const name of path) schema = schema && memberOfSchema(schema, name);
  return schema;
}

function memberOfSchema(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  for (const option of plainSchemas(schema)) {
    if (option instanceof z.ZodMiniRecord) return option.def.valueType;
    if (option instanceof z.ZodMiniObject && Object.hasOwn(option.shape, name)) return option.shape[name];
  }
  return undefined;
}

/** What a schema takes besides null and undefined, or as an item of its list. */
function plainSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return plainSchemas(schema.def.innerType);
  if (schema instanceof z.ZodMiniArray) return plainSchemas(schema.def.element);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(plainSchemas) : [schema];
}

/** A key that a schema doesn't know. */
interface UnknownKey {
  readonly path: SpecPath;
  readonly key: string;
  /** The names that it may have been meant to have. */
  readonly meant: readonly string[];
}

/** Keys that begin like this are notes, or meant for other tools. */
const foreignKey = /^(?:[$_]|\/\/)/;

/** The keys that a schema doesn't know, outside of lists. A generator: finding the nearest key takes long for thousands. */
export function* unknownKeys(
  root: z.core.$ZodType,
  content: SpecValue,
  parents: readonly string[] = [],
): Generator<UnknownKey, void> {
  if (!isSpecMap(content)) return;
  const fields = fieldsAt(root, parents);
  for (const [key, value] of Object.entries(content)) {
    const path = [...parents, key];
    if (fields === undefined || Object.hasOwn(fields, key)) {
      if (schemaAt(root, path) !== undefined) yield* unknownKeys(root, value, path);
    } else if (!foreignKey.test(key)) {
      const others = Object.keys(fields).filter((name) => !Object.hasOwn(content, name));
      yield { path, key, meant: nearestNames(key, others) };
    }
  }
}

/** What is wrong with a key that a schema doesn't know, as a phrase. */
export function unknownKeyWords(key: string, [name]: readonly string[]): string {
  const quoted = shortened(key);
  return name === undefined
    ? l10n.t('"{0}" isn\'t a known key here', quoted)
    : l10n.t('"{0}" isn\'t a known key here; did you mean "{1}"?', quoted, name);
}

/** What a value must be that has another type, as a phrase. */
export function typeWords(expected: string): string {
  switch (expected) {
    case 'string':
      return l10n.t('this must be text in quotes');
    case 'boolean':
      return l10n.t('this must be true or false');
    case 'number':
      return l10n.t('this must be a number');
    case 'array':
      return l10n.t('this must be a list');
    default:
      return l10n.t('this must have keys and values');
  }
}
