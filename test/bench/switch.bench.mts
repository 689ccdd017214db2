import { setTimeout as wait } from 'node:timers/promises';
import { deploymentWords } from '../../src/core/status/rowWords.ts';
import { createSystemClock } from '../../src/state/clock.ts';
import { Connections } from '../../src/state/connections/connections.ts';
import type { Deployments } from '../../src/state/lists/deployments.ts';
import { startDeploymentsServer } from '../support/deploymentsServer.ts';
import type { ServedDeployment } from '../support/deploymentsServer.ts';
import { InMemoryMemory, InMemorySecrets, InMemorySettings } from '../support/editorStorage.ts';
import { followingStores } from '../support/followingStores.ts';
import { silentLog } from '../support/silentLog.ts';
import { home, work } from '../support/testConnections.ts';
import { median } from './extensionHost.mts';

export const name = 'switch';

const rounds = 40;
const rows = 500;
const moving = 10;
const clock = createSystemClock();

/** Prints how long a switch back to a connection that was seen before takes until all its rows are known again. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startDeploymentsServer(Array.from({ length: rows }, (_, index) => served(index)));
  const workspaceMemory = new InMemoryMemory();
  const connections = new Connections({
    settings: new InMemorySettings(),
    secrets: new InMemorySecrets(),
    workspaceMemory,
    network: () => ({ mode: 'undici', timeoutMs: 30_000, strictTls: true }),
    fetch: () => Promise.reject(new Error('The editor is not asked here.')),
    userAgent: 'bench',
    log: silentLog,
    localService: { address: () => Promise.reject(new Error('There is no local service here.')) },
  });
  const stores = followingStores({ connections, clock, workspaceMemory, pageSize: 100 });
  const { deployments, scheduler } = stores;
  const names = [work.name, home.name];
  const times: number[] = [];
  try {
    scheduler.setAttention({ focused: true, visible: true });
    for (const connection of [work, home]) {
      await connections.save({ ...connection, baseUrl: server.url }, { apiKey: 'key' });
      await connections.select(connection.name);
      await deployments.load();
      while (deployments.state.hasMore) await deployments.loadMore();
      while (wordsOf(deployments).length < rows) await wait(50);
    }
    for (let round = 0; round < rounds; round += 1) {
      const begin = performance.now();
      const shown = rowsAfterSwitch(deployments);
      await connections.select(names[round % 2] ?? work.name);
      times.push((await shown) - begin);
      // The list asks the service in the background, as the view does.
      await deployments.load();
    }
  } finally {
    stores.dispose();
    await connections.dispose();
  }
  print(`from the switch to the words of ${rows} rows, in ms, over ${rounds} switches (target: 50)`);
  print(`  median ${median(times).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)}`);
}

function served(index: number): ServedDeployment {
  const updated = new Date(Date.now() - index * 1_000).toISOString();
  const active = { id: `live-${index}`, status: 'DEPLOYED', updated_at: updated };
  const latest = index < moving ? { id: `new-${index}`, status: 'BUILDING', updated_at: updated } : active;
  return { id: `deployment-${index}`, name: `agent-${index}`, active, latest };
}

/** Resolves with the time when every row of the present connection has its words. */
function rowsAfterSwitch(deployments: Deployments): Promise<number> {
  return new Promise((resolve) => {
    const subscription = deployments.onDidChange(({ kind }) => {
      if (kind !== 'list' || wordsOf(deployments).length < rows) return;
      subscription.dispose();
      resolve(performance.now());
    });
  });
}

/** What the rows say whose latest revision is known. */
function wordsOf(deployments: Deployments): readonly string[] {
  return deployments.state.entries.flatMap(({ id = '' }) => {
    const deployment = deployments.find(id);
    const observed = deployments.observe(id, deployment?.latest_revision_id);
    if (deployment === undefined || observed.revision === undefined) return [];
    const { first, later } = deploymentWords(deployment, observed, { now: clock.now(), doubt: () => undefined });
    return [[...first, ...later].join(' · ')];
  });
}
