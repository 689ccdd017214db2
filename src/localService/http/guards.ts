import { createHash, timingSafeEqual } from 'node:crypto';
import { HttpProblem } from './problem.ts';

/**
 * Refuses a request that was addressed to another host name. A web page that points a name of its own at this
 * computer (DNS rebinding) is stopped here.
 * @throws {HttpProblem} 421
 */
export function checkHost(request: Request): void {
  const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  if (host === '127.0.0.1' || host === 'localhost') return;
  throw new HttpProblem(421, 'This service answers to 127.0.0.1 and localhost only.');
}

/**
 * Refuses a request without the key, which comes in the header `X-Api-Key` or as a bearer token. The comparison
 * takes the same time whatever is wrong with the key.
 * @throws {HttpProblem} 401
 */
export function checkKey(request: Request, apiKey: string): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const given = request.headers.get('x-api-key') ?? bearer;
  if (given !== undefined && timingSafeEqual(digest(given), digest(apiKey))) return;
  const what = given === undefined ? 'The API key is missing' : 'The API key is wrong';
  throw new HttpProblem(401, `${what}: send it in the header X-Api-Key.`, { 'www-authenticate': 'Bearer' });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
