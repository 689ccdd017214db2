import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import type { Janitor } from '../host/janitor.mts';
import { pack, packageExtension } from '../host/packageExtension.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { median, removeActivationEvents, runInExtensionHost } from './extensionHost.mts';

export const name = 'activation';

const starts = 20;
const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const ids = { ours: 'deployment-manager.deployment-manager', empty: 'deployment-manager.empty-extension' };

/** Prints what activating the packaged extension costs next to one that does nothing, and the sizes of the bundles. */
export async function run(print: (line: string) => void): Promise<void> {
  await using janitor = await hireJanitor();
  const { vsix, folder } = await packageExtension(janitor);
  const runs = await activationTimes(janitor, folder);
  const timesOf = (id: string) => runs.map((times) => times[id] ?? Number.NaN);
  const [ours, empty] = [timesOf(ids.ours), timesOf(ids.empty)];
  print(`activation, median of ${runs.length} in the same VS Code, in ms (target: at most 30 more than the empty one)`);
  print(`  this extension    ${spread(ours)}`);
  print(`  empty extension   ${spread(empty)}`);
  print(`  more              ${(median(ours) - median(empty)).toFixed(1)}`);
  print(`  ratio             ${(median(ours) / median(empty)).toFixed(1)} (target: at most 2.5)`);
  print('minified bundles, in kB of 1000 bytes');
  const dist = path.join(folder, 'dist');
  for (const entry of (await readdir(dist)).toSorted()) {
    const size = await sizeOf(path.join(dist, entry));
    print(`  ${entry.padEnd(17)} ${(size / 1_000).toFixed(0).padStart(4)}`);
  }
  print(`  the package       ${((await stat(vsix)).size / 1_000).toFixed(0).padStart(4)} (compressed)`);
}

/** The bytes of a file, or of all files in a folder: what is loaded later lies in one. */
async function sizeOf(entry: string): Promise<number> {
  const state = await stat(entry);
  if (!state.isDirectory()) return state.size;
  const sizes = await Promise.all((await readdir(entry)).map((file) => sizeOf(path.join(entry, file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Activates both extensions, installed as packages, in as many extension hosts as there are to be measured. */
async function activationTimes(janitor: Janitor, extension: string): Promise<Record<string, number>[]> {
  const file = path.join(janitor.folder, 'times.jsonl');
  const sample = await createSampleRepository(janitor.folder);
  await removeActivationEvents(extension);
  const packages = { ours: path.join(janitor.folder, 'ours.vsix'), empty: path.join(janitor.folder, 'empty.vsix') };
  const server = await startCodeServer({
    janitor,
    driver: 'test',
    vsix: [
      await pack(janitor, extension, packages.ours),
      await pack(janitor, path.join(fixtures, 'emptyExtension'), packages.empty),
    ],
    env: { ACTIVATION_PROBE_FILE: file },
  });
  const probe = path.join(fixtures, 'activationProbe');
  const address = server.addressOf(sample.folder, developmentPayload(probe, path.join(probe, 'probe.js')));
  for (let count = 0; count < starts; count += 1) await runInExtensionHost(janitor, address);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line): Record<string, number> => JSON.parse(line));
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = Number.NaN] = sorted;
  return `${median(values).toFixed(1).padStart(6)}   (${least.toFixed(1)} to ${(sorted.at(-1) ?? Number.NaN).toFixed(1)})`;
}
