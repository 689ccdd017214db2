import * as z from 'zod/mini';
import { appConfigSchema, configHelp, type FieldHelp } from './schema.ts';

/** A key that is known at some place of an application config. */
export interface ConfigField extends Partial<FieldHelp> {
  readonly schema: z.core.$ZodType;
}

/**
 * The known keys of the object to which these keys lead, without list positions.
 * Undefined where the keys are the application's own, such as names of graphs.
 */
export function configFieldsAt(parents: readonly string[]): Readonly<Record<string, ConfigField>> | undefined {
  let schema: z.core.$ZodType | undefined = appConfigSchema;
  for (const name of parents) schema = schema && memberOfSchema(schema, name);
  const object = schema && plainSchemas(schema).find((option) => option instanceof z.ZodMiniObject);
  if (object === undefined) return undefined;
  const shape: Readonly<Record<string, z.core.$ZodType>> = object.shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, member]) => [key, { ...configHelp.get(member), schema: member }]),
  );
}

function memberOfSchema(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  for (const option of plainSchemas(schema)) {
    if (option instanceof z.ZodMiniRecord) return option.def.valueType;
    if (option instanceof z.ZodMiniObject && Object.hasOwn(option.shape, name)) return option.shape[name];
  }
  return undefined;
}

/** What a schema takes besides null and undefined. */
function plainSchemas(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return plainSchemas(schema.def.innerType);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(plainSchemas) : [schema];
}
