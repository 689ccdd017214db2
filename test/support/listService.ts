import { startFaultServer } from './faultServer.ts';
import type { Fault, FaultServer } from './faultServer.ts';
import { json } from './faults.ts';

/** A service that answers each path (without its query) as a test says; any other path is not found. */
export interface ListService extends FaultServer {
  readonly answers: Map<string, Fault>;
}

/** Starts it on a free port. Use it with `await using`. */
export async function startListService(): Promise<ListService> {
  const server = await startFaultServer();
  const answers = new Map<string, Fault>();
  server.answer((response, request) => {
    const { pathname } = new URL(request.url ?? '', server.url);
    const answer = answers.get(pathname) ?? json({ detail: 'Not Found' }, 404);
    answer(response, request);
  });
  return Object.assign(server, { answers });
}
