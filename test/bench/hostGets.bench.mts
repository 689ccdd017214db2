import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { releases } from '../host/releases.mts';
import type { ReleaseName } from '../host/releases.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { startFaultServer } from '../support/faultServer.ts';
import { json } from '../support/faults.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';

export const name = 'Host: 300 small GETs one after the other in the extension host';

/** Fresh extension hosts for each release. Half of them begin with our client, half with fetch. */
const starts = 4;

const extension = path.resolve(import.meta.dirname, '../fixtures/emptyExtension');

/** Prints what the requests cost through our client and through the fetch that VS Code gives to extensions. */
export async function run(print: (line: string) => void): Promise<void> {
  await using service = await startFaultServer();
  const deployment = { id: '00000000-0000-4000-8000-000000000001', name: 'agent', status: 'READY' };
  service.answer(json({ resources: [deployment], offset: 1 }));
  print('milliseconds for 300 requests, medians (target for the newest VS Code: fetch takes at least 3 times as long)');
  for (const release of ['newest', 'oldest'] as const) {
    const runs = await measureIn(release, service.url);
    const load = loadavg()[0]?.toFixed(1);
    print(`VS Code ${releases[release].vscode}, ${runs.length} extension hosts, load of the machine ${load}`);
    const part = (rounds: (times: number[]) => number[]) => ({
      client: runs.flatMap(({ client }) => rounds(client)),
      fetch: runs.flatMap(({ fetch }) => rounds(fetch)),
    });
    print(`  cold   ${compared(part((times) => times.slice(0, 1)))}`);
    print(`  warm   ${compared(part((times) => times.slice(1)))}`);
  }
}

/** Milliseconds of every round of both ways, in the order in which they were measured. */
interface Times {
  readonly client: number[];
  readonly fetch: number[];
}

async function measureIn(release: ReleaseName, url: string): Promise<Times[]> {
  await using janitor = await hireJanitor();
  const file = path.join(janitor.folder, 'times.jsonl');
  const script = await buildMeasurement(janitor, 'hostGets');
  const env = { HOST_GETS_URL: url, HOST_GETS_FILE: file };
  const server = await startCodeServer({ janitor, driver: 'test', release, env });
  const address = server.addressOf(extension, developmentPayload(extension, script));
  for (let count = 0; count < starts; count += 1) await runInExtensionHost(janitor, address);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line): Times => JSON.parse(line));
}

function compared({ client, fetch }: Times): string {
  const [ours, theirs] = [median(client), median(fetch)];
  const whole = (value: number) => value.toFixed(0).padStart(5);
  return `client ${whole(ours)}   fetch ${whole(theirs)}   ${(theirs / ours).toFixed(1)} times as long`;
}
