/** The part of JSON Schema 2020-12 that the description of the service uses; another keyword is an error. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly $ref?: string;
}

const knownKeywords = new Set(
  (
    'type properties required additionalProperties propertyNames items minItems anyOf enum const pattern format ' +
    'minimum maximum $ref description default'
  ).split(' '),
);

/**
 * Says where a value differs from a schema: one sentence per difference, none when it fits. Written apart from the
 * service's own library, so a mistake of that library is seen.
 */
export function differences(value: unknown, schema: JsonSchema, root: unknown, place = '$'): string[] {
  const unknown = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword));
  if (unknown.length > 0) return [`${place}: the schema has the unknown keyword ${unknown.join(', ')}`];
  if (schema.$ref !== undefined) return differences(value, resolve(schema.$ref, root), root, place);
  if (schema.anyOf !== undefined) {
    const all = schema.anyOf.map((option) => differences(value, option, root, place));
    return all.some((found) => found.length === 0) ? [] : all.flat();
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${place}: is none of ${schema.enum.join()}`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    return [`${place}: is not ${types.join(' or ')}`];
  if (typeof value === 'string') return textDifferences(value, schema, place);
  if (typeof value === 'number') return numberDifferences(value, schema, place);
  if (Array.isArray(value)) {
    const tooFew = value.length < Number(schema['minItems'] ?? 0) ? [`${place}: has too few items`] : [];
    const { items } = schema;
    return items === undefined
      ? tooFew
      : [...tooFew, ...value.flatMap((item, index) => differences(item, items, root, `${place}[${index}]`))];
  }
  return typeof value === 'object' && value !== null ? objectDifferences(value, schema, root, place) : [];
}

export function resolve(reference: string, root: unknown): JsonSchema {
  const path = reference.replace(/^#\//, '').split('/');
  const found = path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found as JsonSchema;
}

function objectDifferences(value: object, schema: JsonSchema, root: unknown, place: string): string[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const found = missing.map((name) => `${place}: lacks ${name}`);
  for (const [name, member] of Object.entries(value)) {
    const property = schema.properties?.[name];
    const additional = schema.additionalProperties ?? true;
    if (property !== undefined) found.push(...differences(member, property, root, `${place}.${name}`));
    else if (additional === false) found.push(`${place}: has the undescribed field ${name}`);
    else if (additional !== true) found.push(...differences(member, additional, root, `${place}.${name}`));
  }
  return found;
}

function textDifferences(value: string, schema: JsonSchema, place: string): string[] {
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return [`${place}: does not match ${schema.pattern}`];
  }
  return [];
}

function numberDifferences(value: number, schema: JsonSchema, place: string): string[] {
  const minimum = Number(schema['minimum'] ?? -Infinity);
  const maximum = Number(schema['maximum'] ?? Infinity);
  return value < minimum || value > maximum ? [`${place}: is not from ${minimum} to ${maximum}`] : [];
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
