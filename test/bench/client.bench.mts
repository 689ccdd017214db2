import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, request } from 'undici';
import { createClient } from '../../src/api/client.ts';
import { createTransport } from '../../src/api/http/createTransport.ts';
import { median } from './extensionHost.mts';
import { startServerProcess } from './serverProcess.mts';

export const name = 'Client: 10,000 deployments in 100 pages';

const ROUNDS = 25;
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
  await ours();
  await bare();
  const measured: { ours: Cost[]; bare: Cost[] } = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // What the other left behind is collected first, so neither pays for it.
    collectGarbage();
    measured.ours.push(await measure(ours));
    collectGarbage();
    measured.bare.push(await measure(bare));
  }
  const wall = (costs: Cost[]) => median(costs.map((cost) => cost.wallMs));
  const cpu = (costs: Cost[]) => median(costs.map((cost) => cost.cpuMs));
  const row = (label: string, client: number, alone: number, unit: string) =>
    print(
      `${label}: client ${client.toFixed(0)} ${unit}, undici alone ${alone.toFixed(0)} ${unit}, ${(client / alone).toFixed(2)}x`,
    );
  row('wall', wall(measured.ours), wall(measured.bare), 'ms');
  row('CPU ', cpu(measured.ours), cpu(measured.bare), 'ms');
  row('heap while all rows are held', await heapOf(ours), await heapOf(bare), 'MB');
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
  wallMs: number;
  cpuMs: number;
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
