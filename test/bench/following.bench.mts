import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import { startCodeServer } from '../host/codeServer.mts';
import { hireJanitor } from '../host/janitor.mts';
import { developmentPayload } from '../host/workbenchAddress.mts';
import { startLocalService } from '../support/localService.ts';
import { buildMeasurement, median, runInExtensionHost } from './extensionHost.mts';
import type { FollowingMeasures } from './vscode/following.ts';

export const name = 'following';

const root = path.resolve(import.meta.dirname, '../..');

/** The time that each of the six states of a deployment takes in the compressed hour, in milliseconds. */
const step = 7_000;

/**
 * Prints how late the status bar of a real VS Code is, and what an hour of fifty deployments leaves in the heap.
 * The status bar is measured at the pace of the default settings. The hour is compressed twenty times: the states of the
 * local service and the settings of polling are that much shorter, and no code is replaced.
 */
export async function run(print: (line: string) => void): Promise<void> {
  await using janitor = await hireJanitor();
  const dataFolder = path.join(janitor.folder, 'local-service');
  const service = await startLocalService({ dataFolder, stepMs: step, devControls: true });
  try {
    const file = path.join(janitor.folder, 'measures.json');
    const server = await startCodeServer({
      janitor,
      driver: 'test',
      settings: { 'deploymentManager.pageSize': 100 },
      machineSettings: { 'deploymentManager.localService.dataFolder': dataFolder },
      env: {
        FOLLOWING_FILE: file,
        FOLLOWING_SERVICE: JSON.stringify({ url: service.url, apiKey: service.apiKey }),
      },
    });
    const script = await buildMeasurement(janitor, 'following');
    await runInExtensionHost(janitor, server.addressOf(janitor.folder, developmentPayload(root, script)), {
      limit: 900_000,
    });
    const measures: FollowingMeasures = JSON.parse(await readFile(file, 'utf8'));
    const { delays, heap, ended, isFocused } = measures;
    const [before, after] = heap;
    const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1);
    const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
    const load = loadavg()[0]?.toFixed(1);
    print(`${isFocused ? 'a focused' : 'an unfocused'} window, load of the machine ${load}`);
    print(`from a status change to the status bar, ${delays.length} changes of two deployments of two minutes`);
    print(
      `  median ${seconds(median(delays))} s   worst ${seconds(Math.max(...delays))} s   (target for the median: 5 s)`,
    );
    print(`heap of the extension host around ${ended} deployments of 14 minutes in an hour, 20 times as fast`);
    print(
      `  before ${megabytes(before)} MB   after ${megabytes(after)} MB   ${((after / before - 1) * 100).toFixed(1)} % more (target: 5 %)`,
    );
  } finally {
    await service.stop();
  }
}
