import { get, type IncomingMessage } from 'node:http';

/** What `service.json` says about the service of a data folder. */
export interface ServiceRecord {
  readonly url: string;
  readonly apiKey: string;
  readonly pid: number;
}

const answerLimit = 5000;

/**
 * Whether what a `service.json` describes still runs and is ours. After a crash its process id and its port may belong
 * to others by now: the key must not be sent to them, and the process must not be ended.
 */
export async function isLiveLocalService({ url, apiKey, pid }: ServiceRecord): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    // The key is sent only to what refuses a request without one as our service does.
    const stranger = await ask(url, {});
    if (stranger.statusCode !== 401 || stranger.headers['www-authenticate'] !== 'Bearer') return false;
    // This path takes POST only, so that a request with the right key is answered so by nothing but our service.
    const friend = await ask(url, { 'x-api-key': apiKey });
    return friend.statusCode === 405 && friend.headers.allow === 'POST';
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asks without the editor's `fetch`, which may send even this through a proxy. */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const limit = AbortSignal.timeout(answerLimit);
  const request = get(`${url}/_control/repositories`, { agent: false, headers: { ...headers }, signal: limit });
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      response.resume();
      resolve(response);
    });
  });
}
