import type { Flavor } from './flavor.ts';
import { isRecord } from './json.ts';

const CODE_HOST = 'repohost';
const CONFIG_PATH = 'graph_config_path';

/** Gives a body of the interface the names of the flavor. */
export function toWire(body: object, flavor: Flavor): object {
  return renamed(body, { source: [CODE_HOST, flavor.codeHost], field: [CONFIG_PATH, flavor.configPathField] });
}

/** Gives a Deployment or Revision of an answer the names of the interface; anything else is returned as it is. */
export function fromWire(row: unknown, flavor: Flavor): unknown {
  if (!isRecord(row)) return row;
  return renamed(row, { source: [flavor.codeHost, CODE_HOST], field: [flavor.configPathField, CONFIG_PATH] });
}

interface Renaming {
  readonly source: readonly [from: string, to: string];
  readonly field: readonly [from: string, to: string];
}

function renamed(row: object, { source, field }: Renaming): object {
  const result: Record<string, unknown> = { ...row };
  if (result['source'] === source[0]) result['source'] = source[1];
  const config = result['source_revision_config'];
  const [from, to] = field;
  if (from !== to && isRecord(config) && from in config) {
    const { [from]: path, ...others } = config;
    result['source_revision_config'] = { ...others, [to]: path };
  }
  return result;
}
