import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { startSmallService } from '../support/smallService.ts';
import type { PrintedLine } from '../support/smallService.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';
import type { LogMeasures } from './vscode/logs.ts';

export const name = 'logs';

const root = path.resolve(import.meta.dirname, '../..');
const count = 10_000;
const logs = 6;

/** Prints how long a log of 10,000 lines takes to open in a real VS Code, and how often following one asks. */
export async function run(print: (line: string) => void): Promise<void> {
  await using service = await startSmallService();
  await using janitor = await hireJanitor();
  const ids = Array.from({ length: logs }, (_, index) => `d${index}`);
  service.deployments = ids.map((id) => ({ id, name: `agent-${id}`, status: 'READY', active_revision_id: `r-${id}` }));
  for (const id of ids) {
    service.revisions.set(id, [{ id: `r-${id}`, status: 'DEPLOYED' }]);
    service.logs.set(`/v1/projects/${id}/deploy_logs`, printed(id));
  }
  const file = path.join(janitor.folder, 'measures.json');
  const server = await startCodeServer({
    janitor,
    driver: 'test',
    settings: { 'deploymentManager.connections': [{ name: 'Bench', baseUrl: service.url, flavor: 'langsmith' }] },
    env: { LOGS_FILE: file, LOGS_IDS: ids.join(' ') },
  });
  const script = await buildMeasurement(janitor, 'logs');
  await runInExtensionHost(janitor, server.addressOf(janitor.folder, developmentPayload(root, script)), {
    limit: 180_000,
    act: async (page) => {
      const key = page.locator('.quick-input-widget:visible input.input');
      await key.waitFor({ timeout: 120_000 });
      await key.fill('a-key-for-the-bench');
      await key.press('Enter');
    },
  });
  const { opened, older, lines, follow, isFocused }: LogMeasures = JSON.parse(await readFile(file, 'utf8'));
  const [first = Number.NaN, ...others] = opened;
  const milliseconds = (value: number): string => value.toFixed(0).padStart(4);
  print(
    `${isFocused ? 'a focused' : 'an unfocused'} window, load of the machine ${loadavg()[0]?.toFixed(1)}: logs of ${count} lines, in ms (target for opening: 300)`,
  );
  print(`  first log, which loads its code  ${milliseconds(first)}`);
  print(
    `  another log, median              ${milliseconds(median(others))}   slowest ${milliseconds(Math.max(...others))}`,
  );
  print(
    `  older lines, a page, median      ${milliseconds(median(older))}   slowest ${milliseconds(Math.max(...older))}`,
  );
  print(`  lines in the end                 ${lines}`);
  const asked = service.seen.filter(({ path: where, body }) => where.endsWith(follow.log) && body.includes('"asc"'));
  print(`following a log for ${(follow.milliseconds / 1_000).toFixed(1)} s`);
  print(`  requests ${asked.length} (target: at most one in two seconds)`);

  function printed(id: string): PrintedLine[] {
    const began = Date.now() - count * 1_000;
    return Array.from({ length: count }, (_, index) => {
      const message = `${id} handled the request ${index} in 12.5 ms: GET /threads/1b2c3d4e/runs?limit=10 200 OK`;
      return { id: `${id}-${index}`, timestamp: began + index * 1_000, level: 'INFO', message };
    });
  }
}
