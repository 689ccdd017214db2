import { once } from 'node:events';
import { startFaultServer } from './faultServer.ts';
import type { Fault, FaultServer } from './faultServer.ts';
import { json } from './faults.ts';

interface Record {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A line of a log; its time is in milliseconds since 1970. */
export interface PrintedLine {
  readonly id: string;
  readonly timestamp: number;
  readonly level: string;
  readonly message: string;
}

/** A service with just enough of the interface for lists and follows: what it says is what a test puts in. */
export interface SmallService extends FaultServer {
  /** Newest first. */
  deployments: Record[];
  /** By the id of their deployment, newest first. */
  readonly revisions: Map<string, Record[]>;
  /** What logs hold, the oldest first, by the paths of the public service. Any other one is empty. */
  readonly logs: Map<string, PrintedLine[]>;
  /** While false, it has none, like many installations. */
  hasLogs: boolean;
  /** While true, the list of deployments is sent whole, whatever is asked for. */
  ignoresFilters: boolean;
  /** While set, every request gets this instead of what it asked for. */
  fault: Fault | undefined;
}

/** Starts it on a free port. Use it with `await using`. */
export async function startSmallService(): Promise<SmallService> {
  const server = await startFaultServer();
  const service: SmallService = Object.assign(server, {
    deployments: [],
    revisions: new Map<string, Record[]>(),
    logs: new Map<string, PrintedLine[]>(),
    hasLogs: true,
    ignoresFilters: false,
    fault: undefined,
  });
  server.answer((response, request) => {
    const url = new URL(request.url ?? '', server.url);
    const isLog = service.hasLogs && url.pathname.endsWith('_logs');
    const answer = isLog ? logOf(service, url.pathname, server.seen.at(-1)?.body) : answerOf(service, url);
    (service.fault ?? answer)(response, request);
  });
  return service;
}

/** Resolves with the next value of an event, or at once when the condition holds already. */
export async function until(
  event: (listener: () => void) => { dispose(): void },
  condition: () => boolean,
): Promise<void> {
  const target = new EventTarget();
  const registration = event(() => target.dispatchEvent(new Event('change')));
  try {
    while (!condition()) await once(target, 'change');
  } finally {
    registration.dispose();
  }
}

function answerOf(service: SmallService, { pathname, searchParams }: URL): Fault {
  if (pathname === '/v2/deployments') {
    const ids = searchParams.get('deployment_ids')?.split(',');
    const name = searchParams.get('name_contains') ?? '';
    const found = service.deployments.filter(
      (row) => service.ignoresFilters || ((ids?.includes(row.id) ?? true) && String(row['name']).includes(name)),
    );
    return pageOf(found, searchParams);
  }
  const [, deploymentId = '', revisionId] =
    /^\/v2\/deployments\/([^/]+)\/revisions(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const revisions = service.revisions.get(deploymentId);
  if (revisions === undefined) return json({ detail: 'Not found' }, 404);
  const statuses = searchParams.get('status')?.split(',');
  const found = revisions.filter((row) => statuses?.includes(String(row['status'])) ?? true);
  if (revisionId === undefined) return pageOf(found, searchParams);
  const revision = revisions.find(({ id }) => id === revisionId);
  return revision === undefined ? json({ detail: 'Not found' }, 404) : json(revision);
}

/** A page of a log, as the public service gives it for a body. */
function logOf({ logs }: SmallService, path: string, body = '{}'): Fault {
  const { limit = 100, order = 'asc', level, query = '', start_time: start, offset = '0' } = JSON.parse(body);
  const from = start === undefined ? -Infinity : Date.parse(start);
  const meant = (logs.get(path) ?? []).filter(
    (line) => line.timestamp >= from && (level === undefined || line.level === level) && line.message.includes(query),
  );
  const ordered = order === 'desc' ? meant.toReversed() : meant;
  const end = Number(offset) + limit;
  const more = end < ordered.length ? { next_offset: String(end) } : {};
  return json({ logs: ordered.slice(Number(offset), end), ...more });
}

function pageOf(rows: readonly Record[], query: URLSearchParams): Fault {
  const offset = Number(query.get('offset') ?? 0);
  const resources = rows.slice(offset, offset + Number(query.get('limit') ?? 20));
  return json({ resources, offset: offset + resources.length });
}
