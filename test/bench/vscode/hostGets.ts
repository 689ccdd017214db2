// Runs inside an extension host; test/bench/hostGets.bench.mts builds and starts it.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createClient } from '../../../src/api/client.ts';
import { createTransport } from '../../../src/api/http/createTransport.ts';

/** Sequential requests of one measurement. */
const gets = 300;

/** How often each way is measured in one extension host; the first time is the cold one. */
const rounds = 12;

/** Milliseconds of each measurement, the cold one first. */
interface Times {
  readonly client: number[];
  readonly fetch: number[];
}

/** Measures our client and the editor's fetch by turns, and appends their times to a file as one line of JSON. */
export async function run(): Promise<void> {
  const url = process.env['HOST_GETS_URL'] ?? '';
  const file = process.env['HOST_GETS_FILE'] ?? '';
  if (!isPatched()) throw new Error('The fetch of this extension host is not the one of VS Code.');
  const client = createClient({
    baseUrl: url,
    auth: () => Promise.resolve('key'),
    transport: createTransport({ mode: 'undici' }),
  });
  const withClient = () => client.deployments.list();
  const withFetch = async () => (await fetch(`${url}/v2/deployments`, { headers: { 'x-api-key': 'key' } })).json();
  const times: Times = { client: [], fetch: [] };
  // Who begins changes with every extension host and every round, so neither always finds the other's warmth.
  const begun = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  for (let round = 0; round < rounds; round += 1) {
    const measureClient = async () => void times.client.push(await measure(withClient));
    const measureFetch = async () => void times.fetch.push(await measure(withFetch));
    const turns = [measureClient, measureFetch];
    for (const turn of (begun + round) % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  await client.close();
  appendFileSync(file, `${JSON.stringify(times)}\n`);
}

async function measure(get: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  for (let count = 0; count < gets; count += 1) await get();
  return performance.now() - begin;
}

/** VS Code keeps the function that it has replaced. */
function isPatched(): boolean {
  const replaced: unknown = Reflect.get(globalThis, '__vscodeOriginalFetch');
  return replaced !== undefined && replaced !== globalThis.fetch;
}
