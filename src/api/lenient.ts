import * as z from 'zod';
import { compileReader, Mismatch } from './lenientReader.ts';

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
