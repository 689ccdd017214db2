import * as z from 'zod';
import { isRecord } from './json.ts';

/** Reads a value from parsed JSON. The result may share objects with the input. */
type Read = (value: unknown) => unknown;

type Expected = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** A value doesn't have the type that the interface names. No `Error`: ten thousand stacks would take long to make. */
class Mismatch {
  readonly expected: Expected;
  /** The path to the value, outermost step first. */
  readonly path: (string | number)[] = [];

  constructor(expected: Expected) {
    this.expected = expected;
  }
}

/**
 * Compiles a strict schema into a function that checks only types.
 * A lenient zod schema gives the same results, but takes three times as long for a resource with its hundred fields.
 * @throws Error for kinds of schema that the interface doesn't use.
 */
function compileReader(schema: z.core.$ZodType): Read {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return compileReader(schema.unwrap());
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat || schema instanceof z.ZodEnum) {
    return primitiveReader('string');
  }
  if (schema instanceof z.ZodNumber) return primitiveReader('number');
  if (schema instanceof z.ZodBoolean) return primitiveReader('boolean');
  if (schema instanceof z.ZodRecord) return readFreeForm;
  if (schema instanceof z.ZodArray) return arrayReader(compileReader(schema.element));
  if (schema instanceof z.ZodObject) return objectReader(schema);
  throw new Error(`A lenient reader cannot be made from a schema of the kind ${schema._zod.def.type}.`);
}

function primitiveReader(expected: 'string' | 'number' | 'boolean'): Read {
  return (value) => {
    if (typeof value === expected) return value;
    throw new Mismatch(expected);
  };
}

function readFreeForm(value: unknown): unknown {
  if (isRecord(value)) return value;
  throw new Mismatch('object');
}

function arrayReader(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) throw new Mismatch('array');
    const items: readonly unknown[] = value;
    const known = items.map((item, index) => readMember(read, item, index));
    return known.every((item, index) => item === items[index]) ? items : known;
  };
}

/**
 * Reads an object. An open object keeps all members, nulls too; a closed one loses nulls and unknown members, and gets
 * the defaults of the interface for missing ones.
 * Reads only the members that are there, and copies the object only if one changes: a list has thousands of objects.
 */
function objectReader(schema: z.ZodObject): Read {
  const isOpen = schema.def.catchall !== undefined;
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, field, read: compileReader(field) }));
  const readers = new Map(fields.map(({ name, read }) => [name, read]));
  const needed = fields.filter(
    ({ name, field }) => (name === 'id' || name === 'name') && !z.safeParse(field, undefined).success,
  );
  const defaults = fields.flatMap(({ name, field }) =>
    field instanceof z.ZodDefault ? [{ name, otherwise: field.parse(undefined) }] : [],
  );
  return (value) => {
    if (!isRecord(value)) throw new Mismatch('object');
    for (const { name, read } of needed) readMember(read, value[name], name);
    let result = value;
    let hasUnknown = false;
    for (const name in value) {
      const member = value[name];
      const read = readers.get(name);
      if (read === undefined) hasUnknown = true;
      if (read === undefined || member === undefined || (member === null && isOpen)) continue;
      const known = member === null ? undefined : readMember(read, member, name);
      if (known === member) continue;
      // A spread keeps the compact form of an object, which it loses when filled member by member.
      if (result === value) result = { ...value };
      result[name] = known;
    }
    for (const { name, otherwise } of defaults) {
      if (result[name] === undefined) result = { ...result, [name]: otherwise };
    }
    if (isOpen || !hasUnknown) return result;
    return Object.fromEntries(Object.entries(result).filter(([name]) => readers.has(name)));
  };
}

function readMember(read: Read, member: unknown, step: string | number): unknown {
  try {
    return read(member);
  } catch (error) {
    if (error instanceof Mismatch) error.path.unshift(step);
    throw error;
  }
}

/**
 * The result type of a lenient reader.
 * Identifiers, timestamps and enums are plain strings. `id` and `name` stay required where the wire type requires them,
 * and every other field may be missing. Null becomes missing. Free-form objects stay as they are.
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
 * Derives a resource's reader from its strict wire schema, the only definition of each resource.
 * Drops unknown fields, keeps unknown enum values and fills in defaults.
 */
export function lenient<Wire extends z.ZodObject>(wire: Wire): z.ZodType<Lenient<z.output<Wire>>>;
export function lenient(wire: z.ZodObject): z.ZodType {
  const read = compileReader(wire);
  return z.unknown().transform((value, context) => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const { expected, path } = error;
      context.issues.push({ code: 'invalid_type', expected, path, input: value });
      return z.NEVER;
    }
  });
}
