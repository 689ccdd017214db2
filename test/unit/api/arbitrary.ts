import * as fc from 'fast-check';
import * as z from 'zod';

/** Any value that a strict schema of the interface allows, as it is after JSON. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return fc.option(arbitraryOf(schema.unwrap()), { nil: undefined });
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap()), { nil: null });
  if (schema instanceof z.ZodDefault) return arbitraryOf(schema.unwrap());
  if (schema instanceof z.ZodObject) return objectOf(schema);
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodRecord) return freeForm();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodGUID) return fc.uuid();
  if (schema instanceof z.ZodISODateTime) {
    return fc
      .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (schema instanceof z.ZodNumberFormat) return fc.integer();
  if (schema instanceof z.ZodNumber)
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodString) return fc.string({ unit: 'grapheme' });
  throw new Error('The interface has a kind of field that this test does not make.');
}

/** Fields that may be missing are missing about half of the time, so large resources stay small. */
function objectOf(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.shape);
  const requiredKeys = fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name);
  const members = Object.fromEntries(fields.map(([name, field]) => [name, arbitraryOf(field)]));
  return fc.record(members, { requiredKeys, noNullPrototype: true });
}

function freeForm(): fc.Arbitrary<unknown> {
  const name = fc.string().filter((key) => key !== '__proto__');
  return fc
    .dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}
