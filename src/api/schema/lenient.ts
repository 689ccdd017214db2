import * as z from 'zod';
import { isRecord } from './json.ts';

/** Reads a value that came out of JSON; what it gives may share objects with it. */
export type Read = (value: unknown) => unknown;

type Expected = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** A value is not of the type that the interface says. */
class Mismatch extends Error {
  readonly expected: Expected;
  /** Where, from the outside in. */
  readonly path: (string | number)[] = [];

  constructor(expected: Expected) {
    super(`not of the type ${expected}`);
    this.expected = expected;
  }
}

/**
 * Compiles a strict schema into a function that looks at types only. A lenient zod schema of the same shape gives the
 * same answers, but takes three times as long for a resource with its hundred fields.
 * @throws Error for kinds of schema that the interface does not use.
 */
function compileReader(schema: z.core.$ZodType): Read {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return compileReader(schema.unwrap());
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat || schema instanceof z.ZodEnum) {
    return readString;
  }
  if (schema instanceof z.ZodNumber) return readNumber;
  if (schema instanceof z.ZodBoolean) return readBoolean;
  if (schema instanceof z.ZodRecord) return readFreeForm;
  if (schema instanceof z.ZodArray) return arrayReader(compileReader(schema.element));
  if (schema instanceof z.ZodObject) return objectReader(schema);
  throw new Error(`A lenient reader cannot be made from a schema of the kind ${schema._zod.def.type}.`);
}

function readString(value: unknown): unknown {
  if (typeof value === 'string') return value;
  throw new Mismatch('string');
}

function readNumber(value: unknown): unknown {
  if (typeof value === 'number') return value;
  throw new Mismatch('number');
}

function readBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  throw new Mismatch('boolean');
}

function readFreeForm(value: unknown): unknown {
  if (isRecord(value)) return value;
  throw new Mismatch('object');
}

function arrayReader(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value)) throw new Mismatch('array');
    const items: readonly unknown[] = value;
    return items.map((item, index) => {
      try {
        return read(item);
      } catch (error) {
        throw within(index, error);
      }
    });
  };
}

/** An open object is kept with all its members, nulls among them; a closed one is copied without unknown members. */
function objectReader(schema: z.ZodObject): Read {
  const isOpen = schema.def.catchall !== undefined;
  const names = new Set(Object.keys(schema.shape));
  const fields = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    read: compileReader(field),
    isNeeded: (name === 'id' || name === 'name') && !z.safeParse(field, undefined).success,
  }));
  return (value) => {
    if (!isRecord(value)) throw new Mismatch('object');
    const result = isOpen ? value : copyOf(value, names);
    for (const { name, read, isNeeded } of fields) {
      const member = result[name];
      if (!isNeeded && (member === undefined || member === null)) {
        if (member === null && !isOpen) result[name] = undefined;
        continue;
      }
      try {
        const known = read(member);
        if (known !== member) result[name] = known;
      } catch (error) {
        throw within(name, error);
      }
    }
    return result;
  };
}

/**
 * A copy of the members with these names. The spread is for the engine: an object that is filled member by member
 * becomes a dictionary at a dozen of them, which takes half as much memory again.
 */
function copyOf(value: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  if (Object.keys(value).every((name) => names.has(name))) return { ...value };
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

function within(step: string | number, error: unknown): unknown {
  if (error instanceof Mismatch) error.path.unshift(step);
  return error;
}

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
