import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { root } from '../support/sourceFiles.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';
import { createMonorepo } from './monorepo.mts';

export const name = 'configFindings';

const layout = { folders: 2_000, configs: 40, ignored: 100_000 };

/** In milliseconds. */
interface Times {
  /** Of the text of a config. */
  readonly text: readonly number[];
  /** Of the text and of the files that it names. */
  readonly one: readonly number[];
  /** Of all configs at once. */
  readonly all: readonly number[];
}

/** Prints how long the findings about open config files take in a large repository. */
export async function run(print: (line: string) => void): Promise<void> {
  await using janitor = await hireJanitor();
  const folder = await createMonorepo(janitor.folder, layout);
  const output = path.join(janitor.folder, 'times.json');
  const server = await startCodeServer({ janitor, driver: 'test', env: { FINDINGS_FILE: output } });
  const script = await buildMeasurement(janitor, 'configFindings');
  await runInExtensionHost(janitor, server.addressOf(folder, developmentPayload(root, script)));
  const { text, one, all }: Times = JSON.parse(await readFile(output, 'utf8'));
  const { folders, configs, ignored } = layout;
  print(`milliseconds for ${configs} open configs in ${folders} folders, with ${ignored} ignored files (median)`);
  print(`  the text of one         ${median(text).toFixed(1)}`);
  print(`  one, with its files     ${median(one).toFixed(1)} (target: under 20)`);
  print(`  all, with their files   ${median(all).toFixed(1)} (target: under 300)`);
}
