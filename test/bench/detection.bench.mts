import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { createRepository } from '../support/gitRepositories.ts';
import { root } from '../support/sourceFiles.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';

export const name = 'detection';

interface Layout {
  readonly folders: number;
  readonly configs: number;
  readonly ignored: number;
  /** In milliseconds. */
  readonly target: number;
}

const layouts: readonly Layout[] = [
  { folders: 2_000, configs: 20, ignored: 0, target: 1_000 },
  { folders: 2_000, configs: 2_000, ignored: 0, target: 1_000 },
  { folders: 300, configs: 40, ignored: 100_000, target: 300 },
];
const configText = '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n';

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

async function measure({ folders, configs, ignored }: Layout): Promise<readonly number[]> {
  await using janitor = await hireJanitor();
  const files = Object.fromEntries(
    Array.from({ length: folders }, (_, index) => {
      const app = `teams/team-${index % 40}/app-${index}`;
      return index < configs ? [`${app}/graph.json`, configText] : [`${app}/agent.py`, ''];
    }),
  );
  const { folder } = await createRepository(janitor.folder, {
    name: 'monorepo',
    files: { ...files, '.gitignore': 'node_modules/\nbuild/\n' },
  });
  await writeIgnored(folder, ignored);
  const output = path.join(janitor.folder, 'times.json');
  const env = { DETECTION_FILE: output, DETECTION_CONFIGS: String(configs) };
  const server = await startCodeServer({ janitor, driver: 'test', env });
  const script = await buildMeasurement(janitor, 'detection');
  await runInExtensionHost(janitor, server.addressOf(folder, developmentPayload(root, script)));
  return JSON.parse(await readFile(output, 'utf8'));
}

/** Packages and results of builds, a hundred files in each folder. */
async function writeIgnored(folder: string, count: number): Promise<void> {
  for (let begin = 0; begin < count; begin += 100) {
    const place = path.join(folder, begin % 200 === 0 ? 'node_modules' : 'build', `part-${begin % 7}`, String(begin));
    await mkdir(place, { recursive: true });
    await Promise.all(Array.from({ length: 100 }, (_, index) => writeFile(path.join(place, `${index}.js`), '')));
  }
}
