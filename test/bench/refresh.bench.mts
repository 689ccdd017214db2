import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import type { Janitor } from '../host/janitor.mts';
import { packageExtension, pack } from '../host/packageExtension.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { startDeploymentsServer } from '../support/deploymentsServer.ts';
import type { ServedDeployment } from '../support/deploymentsServer.ts';
import { removeActivationEvents, runInExtensionHost } from './extensionHost.mts';

export const name = 'refresh';

const refreshes = 20;
const deployments = 5_000;
const moving = 10;

interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Measured {
  readonly without: Delays;
  readonly during: Delays;
  readonly durations: readonly number[];
}

/** Prints how long the extension host is held up while 200 loaded rows of 5,000 are refreshed, and what that asks for. */
export async function run(print: (line: string) => void): Promise<void> {
  await using server = await startDeploymentsServer(Array.from({ length: deployments }, (_, index) => served(index)));
  await using janitor = await hireJanitor();
  const { without, during, durations } = await probe(janitor, server.url);
  const requests = server.requests.slice(server.requests.lastIndexOf('/v2/deployments?limit=100&offset=0'));
  print(`event-loop delay of the extension host, in ms, over ${refreshes} refreshes of 200 rows of ${deployments},`);
  print(`${moving} of them moving (target for p99: at most 20 more than without the extension)`);
  print(`  without   ${words(without)}`);
  print(`  refresh   ${words(during)}`);
  print(`  more      ${(during.p99 - without.p99).toFixed(1)}`);
  print(`a refresh takes ${Math.max(...durations).toFixed(0)} ms at most and asks for`);
  print(`  ${requests.filter((request) => request.startsWith('/v2/deployments?')).length} pages`);
  print(`  ${requests.filter((request) => request.includes('/revisions/')).length} revisions`);
}

function served(index: number): ServedDeployment {
  const updated = new Date(Date.now() - index * 1_000).toISOString();
  const active = { id: `live-${index}`, status: 'DEPLOYED', updated_at: updated };
  const latest = index < moving ? { id: `new-${index}`, status: 'BUILDING', updated_at: updated } : active;
  return { id: `deployment-${index}`, name: `agent-${index}`, active, latest };
}

async function probe(janitor: Janitor, url: string): Promise<Measured> {
  const file = path.join(janitor.folder, 'delays.json');
  const { folder } = await packageExtension(janitor);
  // It must not be there before it is measured without it.
  await removeActivationEvents(folder);
  const server = await startCodeServer({
    janitor,
    driver: 'test',
    vsix: [await pack(janitor, folder, path.join(janitor.folder, 'ours.vsix'))],
    settings: { 'deploymentManager.pageSize': 100, 'deploymentManager.connections': [{ name: 'Bench', baseUrl: url }] },
    env: { REFRESH_PROBE_FILE: file, REFRESH_PROBE_COUNT: String(refreshes) },
  });
  const extension = path.resolve(import.meta.dirname, '../fixtures/refreshProbe');
  const address = server.addressOf(janitor.folder, developmentPayload(extension, path.join(extension, 'probe.js')));
  await runInExtensionHost(janitor, address, {
    limit: 180_000,
    act: async (page) => {
      const key = page.locator('.quick-input-widget:visible input.input');
      await key.waitFor({ timeout: 120_000 });
      await key.fill('a-key-for-the-bench');
      await key.press('Enter');
    },
  });
  return JSON.parse(await readFile(file, 'utf8'));
}

function words({ p50, p99, max }: Delays): string {
  return `p50 ${p50.toFixed(1)}   p99 ${p99.toFixed(1)}   longest ${max.toFixed(1)}`;
}
