import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/client.ts';
import { createTransport } from '../../src/api/http/createTransport.ts';
import { askForRepositories } from '../../src/state/lists/repositories.ts';
import { median } from './extensionHost.mts';
import { startServerProcess } from './serverProcess.mts';

export const name = 'Answers: how long the worst ones stop the event loop';

const ROUNDS = 9;

/** Prints the longest stop for each answer that is as hostile as the client's limits allow. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startServerProcess('hostileAnswers.mts');
  const { url, names }: { readonly url: string; readonly names: readonly string[] } = JSON.parse(server.line);
  print(`milliseconds of CPU, medians of ${ROUNDS} rounds (target: less than 200)`);
  for (const answer of names) {
    const client = createClient({
      baseUrl: `${url}/${encodeURIComponent(answer)}`,
      auth: async () => 'key',
      transport: createTransport({ mode: 'undici' }),
    });
    const stops: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) stops.push(await longestStop(() => readEach(client)));
    print(`${median(stops).toFixed(0).padStart(5)}  ${answer}`);
    await client.close();
  }
}

/** The longest work between two ticks of a timer. Counts the time of this thread only, whatever else is running. */
async function longestStop(task: () => Promise<void>): Promise<number> {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = used();
  const timer = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await task();
  clearInterval(timer);
  return longest;
}

/** Reads the answer as each kind of list, one after the other. Those that it isn't fail. */
async function readEach(client: Client): Promise<void> {
  const readings = [
    () => client.deployments.list({ limit: 100 }),
    () => client.revisions.list('d', { limit: 100 }),
    () => client.integrations.listInstallations(),
    () => askForRepositories(client, 'i'),
  ];
  for (const read of readings) {
    await Promise.allSettled([read()]);
    // The timer notices the stop.
    await wait(5);
  }
}
