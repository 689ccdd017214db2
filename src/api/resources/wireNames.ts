import type { Flavor } from '../flavor.ts';
import { isRecord } from '../schema/json.ts';

const CODE_HOST = 'repohost';
const CONFIG_PATH = 'graph_config_path';

/** Renames the fields of a request body to the flavor's names. */
export function toWire(body: object, flavor: Flavor): object {
  return renamed(body, { source: [CODE_HOST, flavor.codeHost], field: [CONFIG_PATH, flavor.configPathField] });
}

/** Renames the fields of a Deployment or Revision to the interface's names. Other values are returned as is. */
export function fromWire(row: unknown, flavor: Flavor): unknown {
  if (!isRecord(row)) return row;
  return renamed(row, { source: [flavor.codeHost, CODE_HOST], field: [flavor.configPathField, CONFIG_PATH] });
}

interface Renaming {
  readonly source: readonly [from: string, to: string];
  readonly field: readonly [from: string, to: string];
}

/**
 * Renames the source and one config field of a row.
 * Rows with nothing to rename, such as all rows of the standard flavor, aren't copied.
 */
function renamed(row: object, { source, field }: Renaming): object {
  const withSource = source[0] === source[1] ? row : withSourceNamed(row, source);
  if (field[0] === field[1] || !('source_revision_config' in withSource)) return withSource;
  const config = withSource.source_revision_config;
  if (!isRecord(config) || !(field[0] in config)) return withSource;
  const { [field[0]]: path, ...others } = config;
  return { ...withSource, source_revision_config: { ...others, [field[1]]: path } };
}

/** Only an update names the source of its revision apart from the deployment's. */
function withSourceNamed(row: object, [from, to]: Renaming['source']): object {
  if ('source' in row && row.source === from) return { ...row, source: to };
  return 'revision_source' in row && row.revision_source === from ? { ...row, revision_source: to } : row;
}
