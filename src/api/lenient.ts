import * as z from 'zod';
import { isRecord } from './json.ts';

/**
 * What a lenient reader makes of a wire type: identifiers, timestamps and enums are plain strings, `id` and `name`
 * stay needed where the wire needs them, every other field may be missing, and null has become missing.
 * Objects with free-form members are left as they are.
 */
export type Lenient<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Lenient<Item>[]
    : T extends object
      ? string extends keyof T
        ? T
        : LenientFields<T>
      : T;

type NeededKey<T> = {
  [K in keyof T & ('id' | 'name')]: undefined extends T[K] ? never : null extends T[K] ? never : K;
}[keyof T & ('id' | 'name')];

type LenientFields<T> = { [K in NeededKey<T>]: Lenient<T[K]> } & {
  [K in Exclude<keyof T, NeededKey<T>>]?: Lenient<NonNullable<T[K]>> | undefined;
} extends infer Merged
  ? { [K in keyof Merged]: Merged[K] }
  : never;

/**
 * Makes the reader of a resource from its strict wire schema, so that each resource is written down once.
 * Unknown fields are dropped, unknown enum values survive.
 */
export function lenient<Wire extends z.ZodObject>(wire: Wire): z.ZodType<Lenient<z.output<Wire>>>;
export function lenient(wire: z.ZodObject): z.ZodType {
  return loosenObject(wire);
}

function loosenObject(wire: z.ZodObject): z.ZodType {
  const fields = Object.fromEntries(
    Object.entries(wire.shape).map(([name, schema]) => [name, loosenField(name, schema)]),
  );
  const isOpen = wire.def.catchall !== undefined;
  return isOpen ? z.looseObject(fields) : z.object(fields).overwrite(withoutNulls);
}

function loosenField(name: string, schema: z.core.$ZodType): z.core.$ZodType {
  const isNeeded = (name === 'id' || name === 'name') && !z.safeParse(schema, undefined).success;
  return isNeeded ? loosen(schema) : z.nullish(loosen(schema));
}

/** Loosens the inside of a schema; whether it may be missing is decided by the object that holds it. */
function loosen(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return loosen(schema.unwrap());
  }
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat) return z.string();
  if (schema instanceof z.ZodNumber) return z.number();
  if (schema instanceof z.ZodArray) return z.array(loosen(schema.element));
  if (schema instanceof z.ZodObject) return loosenObject(schema);
  // The members of a free-form object are anything, so looking at each of them would only cost time.
  if (schema instanceof z.ZodRecord) return z.custom(isRecord);
  return schema;
}

/** One pass over the fresh object is several times cheaper than a transform of each field. */
function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) if (fields[name] === null) fields[name] = undefined;
  return fields;
}
