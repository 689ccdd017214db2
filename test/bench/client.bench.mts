import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, request } from 'undici';
import { createClient } from '../../src/api/client.ts';
import { createTransport } from '../../src/api/http/createTransport.ts';
import { median } from './extensionHost.mts';
import { startServerProcess } from './serverProcess.mts';

export const name = 'Client: 10,000 deployments in 100 pages';

/** Rounds that measure, after those that only let the engine compile both. */
const ROUNDS = 25;
const WARM_UP_ROUNDS = 3;
const ROWS = 10_000;
const PAGE = 100;

/** Lists everything through the client and with undici alone, in turns, and prints both side by side. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startServerProcess('clientPages.mts');
  const url = server.line;
  const client = createClient({
    baseUrl: url,
    auth: async () => 'key',
    transport: createTransport({ mode: 'undici' }),
  });
  const agent = new Agent({ connections: 8 });
  try {
    await compare(
      print,
      () => listWithClient(client),
      () => listBare(url, agent),
    );
  } finally {
    await client.close();
    await agent.close();
  }
}

async function compare(print: (line: string) => void, ours: Listing, bare: Listing): Promise<void> {
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    // What the other left behind is collected first, so neither pays for it.
    collectGarbage();
    const client = await measure(ours);
    collectGarbage();
    rounds.push({ client, alone: await measure(bare) });
  }
  const measured = rounds.slice(WARM_UP_ROUNDS);
  print(`medians of ${ROUNDS} rounds of one after the other; ratio of each round: median (quartiles)`);
  print(sideBySide('wall', 'wallMs', measured));
  print(`${sideBySide('CPU ', 'cpuMs', measured)} (target: 1.5)`);
  const heap = { client: await heapOf(ours), alone: await heapOf(bare) };
  print(
    `heap while all rows are held: client ${heap.client.toFixed(0)} MB, undici alone ${heap.alone.toFixed(0)} MB, ${(heap.client / heap.alone).toFixed(2)}`,
  );
}

function sideBySide(label: string, measure: keyof Cost, rounds: readonly Round[]): string {
  const of = (who: keyof Round) => median(rounds.map((round) => round[who][measure])).toFixed(0);
  // Two of the same round ran on an equally busy machine.
  const ratios = rounds.map(({ client, alone }) => client[measure] / alone[measure]);
  const [low, middle, high] = quartiles(ratios).map((ratio) => ratio.toFixed(2));
  return `${label}: client ${of('client')} ms, undici alone ${of('alone')} ms, ${middle} (${low} to ${high})`;
}

/** The middle of the lower half, of all values, and of the upper half. */
function quartiles(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return [sorted.slice(0, half), sorted, sorted.slice(-half)].map(median);
}

type Listing = () => Promise<unknown[]>;

async function listWithClient(client: ReturnType<typeof createClient>): Promise<unknown[]> {
  const rows = [];
  for await (const row of client.deployments.listAll({ limit: PAGE })) rows.push(row);
  return rows;
}

async function listBare(url: string, dispatcher: Agent): Promise<unknown[]> {
  const rows = [];
  for (let offset = 0; offset <= ROWS; offset += PAGE) {
    const { body } = await request(`${url}/v2/deployments?limit=${PAGE}&offset=${offset}`, { dispatcher });
    const page: { resources: unknown[] } = JSON.parse(await body.text());
    for (const row of page.resources) rows.push(row);
  }
  return rows;
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** One listing by each. */
interface Round {
  readonly client: Cost;
  readonly alone: Cost;
}

async function measure(listing: Listing): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const rows = await listing();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  if (rows.length !== ROWS) throw new Error(`The listing gave ${rows.length} rows.`);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

/** Megabytes that the rows of one listing keep. */
async function heapOf(listing: Listing): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const rows = await listing();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  return rows.length === 0 ? 0 : (after - before) / 1e6;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}
