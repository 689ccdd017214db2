import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { startBrowser } from '../host/browser.mts';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import type { Janitor } from '../host/janitor.mts';
import { pack, packageExtension } from '../host/packageExtension.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';

export const name = 'activation';

/** How often each of the two extensions is measured. */
const rounds = 20;
const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const ids = { ours: 'deployment-manager.deployment-manager', empty: 'deployment-manager.empty-extension' };

/** Prints what activating the packaged extension costs next to one that does nothing, and the sizes of the bundles. */
export async function run(print: (line: string) => void): Promise<void> {
  await using janitor = await hireJanitor();
  const { vsix, folder } = await packageExtension(janitor.folder);
  const times = await activationTimes(janitor, vsix);
  const timesOf = (wanted: string) => times.filter(({ id }) => id === wanted).map(({ milliseconds }) => milliseconds);
  const [ours, empty] = [timesOf(ids.ours), timesOf(ids.empty)];
  print(`activation, median of ${ours.length} in the same VS Code, in ms (target: at most 20 more than the empty one)`);
  print(`  this extension    ${spread(ours)}`);
  print(`  empty extension   ${spread(empty)}`);
  print(`  more              ${(median(ours) - median(empty)).toFixed(1)}`);
  print('minified bundles, in kB of 1000 bytes');
  const dist = path.join(folder, 'dist');
  for (const file of (await readdir(dist)).toSorted()) {
    const { size } = await stat(path.join(dist, file));
    print(`  ${file.padEnd(17)} ${(size / 1_000).toFixed(0).padStart(4)}`);
  }
  print(`  the package       ${((await stat(vsix)).size / 1_000).toFixed(0).padStart(4)} (compressed)`);
}

interface ActivationTime {
  readonly id: string;
  readonly milliseconds: number;
}

/** Measures both extensions by turns, installed as packages, each time in a fresh extension host. */
async function activationTimes(janitor: Janitor, vsix: string): Promise<ActivationTime[]> {
  const file = path.join(janitor.folder, 'times.jsonl');
  const sample = await createSampleRepository(janitor.folder);
  const emptyVsix = await pack(path.join(fixtures, 'emptyExtension'), path.join(janitor.folder, 'empty.vsix'));
  const server = await startCodeServer({
    janitor,
    driver: 'test',
    vsix: [vsix, emptyVsix],
    env: { ACTIVATION_PROBE_FILE: file },
  });
  const probe = path.join(fixtures, 'activationProbe');
  const address = server.addressOf(sample.folder, developmentPayload(probe, path.join(probe, 'probe.js')));
  for (let count = 0; count < rounds * 2; count += 1) await runProbe(janitor, address);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line): ActivationTime => JSON.parse(line));
}

async function runProbe(janitor: Janitor, address: string): Promise<void> {
  await using browser = await startBrowser({ janitor });
  const page = await browser.newPage();
  const ended = new Promise<number>((resolve, reject) => {
    void page.exposeFunction('codeAutomationExit', resolve);
    setTimeout(reject, 60_000, new Error('The probe did not end within a minute.')).unref();
  });
  await page.exposeFunction('codeAutomationLog', () => {});
  const [exitCode] = await Promise.all([ended, page.goto(address)]);
  if (exitCode !== 0) throw new Error('An extension could not be measured: it did not activate, or too early.');
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [least = Number.NaN] = sorted;
  return `${median(values).toFixed(1).padStart(6)}   (${least.toFixed(1)} to ${(sorted.at(-1) ?? Number.NaN).toFixed(1)})`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
