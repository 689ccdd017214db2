import { request } from 'node:http';
import { connectToLocalService, foldersPath, readServiceAddress } from '../../api/localService.ts';
import type { LocalServiceAddress } from '../../api/localService.ts';
import type { ServiceOptions } from './commandLine.ts';

const answerLimit = 5000;

/**
 * Hands this start's repositories to the service in the data folder and returns its address.
 * Undefined when no service answers, for example while it is starting or ending.
 */
export async function joinLiveService({
  dataFolder,
  repositories,
}: ServiceOptions): Promise<LocalServiceAddress | undefined> {
  const address = await readServiceAddress(dataFolder);
  try {
    return address && (await handOver(address, repositories)) ? address : undefined;
  } catch {
    return undefined;
  }
}

async function handOver(service: LocalServiceAddress, repositories: readonly string[]): Promise<boolean> {
  const { socket } = await connectToLocalService(service, answerLimit);
  return new Promise((resolve, reject) => {
    request(service.url + foldersPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': service.apiKey },
      createConnection: () => socket,
      signal: AbortSignal.timeout(answerLimit),
    })
      .once('error', reject)
      .once('response', (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .end(JSON.stringify({ repositories }));
  });
}
