// Makes the JSON Schema of langgraph.json, for completion and hovers. It forbids nothing: findings are the extension's own.
import { appConfigSchema } from './src/core/appConfig/schema.ts';
import { fieldsAt, type HelpedField } from './src/core/yaml/help.ts';

/** The JSON Schema of application configs, as text. */
export function configSchema(): string {
  const snippet = {
    label: 'Application config',
    body: { dependencies: ['.'], graphs: { '${1:agent}': './${2:src/agent.py}:${3:graph}' } },
  };
  return `${JSON.stringify({ ...schemaAt([]), defaultSnippets: [snippet] }, undefined, 2)}\n`;
}

function schemaAt(path: readonly string[], { help, values, snippet }: Partial<HelpedField> = {}): object {
  const fields = fieldsAt(appConfigSchema, path);
  // The same for every key of the application's own, such as the name of a graph.
  const entry = fields === undefined ? fieldsAt(appConfigSchema, [...path, 'name']) : undefined;
  return {
    ...(help && { description: help() }),
    ...(values && { examples: values }),
    ...(snippet !== undefined && { defaultSnippets: [{ body: snippet }] }),
    ...(fields && { properties: propertiesOf(path, fields) }),
    ...(entry && { additionalProperties: { properties: propertiesOf([...path, 'name'], entry) } }),
  };
}

function propertiesOf(path: readonly string[], fields: Readonly<Record<string, HelpedField>>): object {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaAt([...path, key], field)]));
}
