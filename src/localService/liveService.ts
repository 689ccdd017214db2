import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceOptions } from './commandLine.ts';
import { readServiceFile } from './serviceFile.ts';
import type { ServiceFile } from './serviceFile.ts';

const patienceMilliseconds = 5000;
const pauseMilliseconds = 50;

/**
 * Finds the service that has the data folder and registers the folders of this start with it, so that a second
 * window's folders are not forgotten. A service that is only just starting is waited for.
 * @throws no service answers within 5 seconds although the folder is in use
 */
export async function joinLiveService({ dataFolder, repositories }: ServiceOptions): Promise<ServiceFile> {
  const deadline = performance.now() + patienceMilliseconds;
  while (performance.now() < deadline) {
    const service = await readServiceFile(dataFolder);
    if (service !== undefined && isAlive(service.pid) && (await registerFolders(service, repositories))) return service;
    await wait(pauseMilliseconds);
  }
  throw new Error(`${dataFolder} is in use by a process that does not answer. End it, or use another data folder.`);
}

/** The key of a service that ended is not sent to whatever may listen at its old port. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** False when the service does not answer yet. */
async function registerFolders({ url, apiKey }: ServiceFile, folders: readonly string[]): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_control/repositories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ folders }),
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    return response.ok;
  } catch {
    return false;
  }
}
