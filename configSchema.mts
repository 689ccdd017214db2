// Makes the JSON Schema of langgraph.json, for completion and hovers. It forbids nothing: findings are the extension's own.
import { configFieldsAt, type ConfigField } from './src/core/appConfig/fields.ts';

/** The JSON Schema of application configs, as text. */
export function configSchema(): string {
  const snippet = {
    label: 'Application config',
    body: { dependencies: ['.'], graphs: { '${1:agent}': './${2:src/agent.py}:${3:graph}' } },
  };
  return `${JSON.stringify({ ...schemaAt([]), defaultSnippets: [snippet] }, undefined, 2)}\n`;
}

function schemaAt(path: readonly string[], { help, values, snippet }: Partial<ConfigField> = {}): object {
  const fields = configFieldsAt(path);
  // The same for every key of the application's own, such as the name of a graph.
  const entry = fields === undefined ? configFieldsAt([...path, 'name']) : undefined;
  return {
    ...(help && { description: help() }),
    ...(values && { examples: values }),
    ...(snippet !== undefined && { defaultSnippets: [{ body: snippet }] }),
    ...(fields && { properties: propertiesOf(path, fields) }),
    ...(entry && { additionalProperties: { properties: propertiesOf([...path, 'name'], entry) } }),
  };
}

function propertiesOf(path: readonly string[], fields: Readonly<Record<string, ConfigField>>): object {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaAt([...path, key], field)]));
}
