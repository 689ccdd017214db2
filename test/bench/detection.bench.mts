import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { createRepository } from '../support/gitRepositories.ts';
import { root } from '../support/sourceFiles.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';

export const name = 'detection';

const folders = 2_000;
const configText = '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n';

/** Prints how long a repository with many folders takes from the command to the sorted list of its config files. */
export async function run(print: (line: string) => void): Promise<void> {
  print(`milliseconds from the command to the config files of ${folders} folders (target: under 1000)`);
  for (const configs of [20, folders]) {
    const { cold, warm } = await measure(configs);
    print(
      `  ${String(configs).padStart(4)} config files   first ${cold.toFixed(0)}   then ${warm.toFixed(0)} (median)`,
    );
  }
}

async function measure(configs: number): Promise<{ cold: number; warm: number }> {
  await using janitor = await hireJanitor();
  const files = Object.fromEntries(
    Array.from({ length: folders }, (_, index) => {
      const app = `teams/team-${index % 40}/app-${index}`;
      return index < configs ? [`${app}/graph.json`, configText] : [`${app}/agent.py`, ''];
    }),
  );
  const { folder } = await createRepository(janitor.folder, { name: 'monorepo', files });
  const output = path.join(janitor.folder, 'times.json');
  const env = { DETECTION_FILE: output, DETECTION_CONFIGS: String(configs) };
  const server = await startCodeServer({ janitor, driver: 'test', env });
  const script = await buildMeasurement(janitor, 'detection');
  await runInExtensionHost(janitor, server.addressOf(folder, developmentPayload(root, script)));
  const [cold = Number.NaN, ...warm]: number[] = JSON.parse(await readFile(output, 'utf8'));
  return { cold, warm: median(warm) };
}
