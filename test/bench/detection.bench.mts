import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { root } from '../support/sourceFiles.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';
import { createMonorepo, type Layout } from './monorepo.mts';

export const name = 'detection';

interface Targeted extends Layout {
  /** In milliseconds. */
  readonly target: number;
}

const layouts: readonly Targeted[] = [
  { folders: 2_000, configs: 20, ignored: 0, target: 1_000 },
  { folders: 2_000, configs: 2_000, ignored: 0, target: 1_000 },
  { folders: 300, configs: 40, ignored: 100_000, target: 300 },
];

/** Prints how long a repository takes from the command to the sorted list of its config files. */
export async function run(print: (line: string) => void): Promise<void> {
  print('milliseconds from the command to the config files');
  for (const layout of layouts) {
    const [cold = Number.NaN, ...warm] = await measure(layout);
    print(
      `  ${layout.configs} configs in ${layout.folders} folders, ${layout.ignored} ignored files (target: under ${layout.target})` +
        `   first ${cold.toFixed(0)}   then ${median(warm).toFixed(0)} (median)`,
    );
  }
}

async function measure(layout: Layout): Promise<readonly number[]> {
  await using janitor = await hireJanitor();
  const folder = await createMonorepo(janitor.folder, layout);
  const output = path.join(janitor.folder, 'times.json');
  const env = { DETECTION_FILE: output, DETECTION_CONFIGS: String(layout.configs) };
  const server = await startCodeServer({ janitor, driver: 'test', env });
  const script = await buildMeasurement(janitor, 'detection');
  await runInExtensionHost(janitor, server.addressOf(folder, developmentPayload(root, script)));
  return JSON.parse(await readFile(output, 'utf8'));
}
