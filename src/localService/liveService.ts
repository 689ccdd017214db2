import { isLiveLocalService } from '../api/liveLocalService.ts';
import type { ServiceOptions } from './commandLine.ts';
import { readServiceFile } from './serviceFile.ts';
import type { ServiceFile } from './serviceFile.ts';

const answerLimit = 5000;

/**
 * Finds the service that has the data folder and registers the folders of this start with it, so that a second
 * window's folders are not forgotten. Undefined when it does not answer: it is only just starting, or ending.
 */
export async function joinLiveService({ dataFolder, repositories }: ServiceOptions): Promise<ServiceFile | undefined> {
  const service = await readServiceFile(dataFolder);
  if (service === undefined || !(await isLiveLocalService(service))) return undefined;
  return (await registerFolders(service, repositories)) ? service : undefined;
}

/** False when the service does not answer yet. */
async function registerFolders({ url, apiKey }: ServiceFile, folders: readonly string[]): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_control/repositories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ folders }),
      signal: AbortSignal.timeout(answerLimit),
    });
    return response.ok;
  } catch {
    return false;
  }
}
