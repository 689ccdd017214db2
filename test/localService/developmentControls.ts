import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { agentConnectionWire } from '../../src/api/resources/agentConnections.ts';
import { LOG_LEVELS } from '../../src/api/resources/logs.ts';
import { oauthProviderWire } from '../../src/api/resources/oauthProviders.ts';
import { DEPLOYMENT_STATUSES, REVISION_STATUSES } from '../../src/api/schema/enums.ts';
import type { RevisionStatus } from '../../src/api/schema/enums.ts';
import { uuid } from '../../src/api/schema/wire.ts';
import { notFound, route, type Route } from '../../src/localService/http/route.ts';
import type { Service } from '../../src/localService/service.ts';
import type { Database } from '../../src/localService/store/database.ts';
import type { Fault } from './controlledService.ts';

/** What the description of the API would say; it has no development controls. */
const control = {
  operationId: 'control',
  success: { status: 200, description: 'Done.', schema: z.unknown() },
} as const;
const id = uuid.transform((text) => text.toLowerCase());

/** Routes that set what no endpoint can set. */
export function developmentControls(service: Service, database: Database, setFault: (fault: Fault) => void): Route[] {
  const { deployments, revisions, logs, oauthProviders, agents, lifecycle, clock, pushWatcher } = service;
  const advance = movable(clock);
  const timestamp = (): string => new Date(clock.now()).toISOString();
  return [
    route(
      {
        ...control,
        method: 'POST',
        path: '/_dev/revisions/{id}',
        summary: 'Set the status of a revision. With "hold", it stays.',
        params: z.object({ id }),
        body: z.object({ status: z.enum(REVISION_STATUSES), hold: z.boolean().default(false) }),
      },
      ({ params, body }) => {
        database.transaction(() => forceRevision(service, params.id, body.status, body.hold));
        lifecycle.wake();
        return {};
      },
    ),
    route(
      {
        ...control,
        method: 'POST',
        path: '/_dev/deployments/{id}',
        summary: 'Set fields of a deployment that no endpoint can set.',
        params: z.object({ id }),
        body: z.object({
          status: z.enum(DEPLOYMENT_STATUSES).optional(),
          tag_value_ids: z.array(z.string()).optional(),
          remote_reconciled: z.boolean().optional(),
          image_version: z.string().nullish(),
        }),
      },
      ({ params, body: { tag_value_ids: tags, remote_reconciled: reconciled, ...others } }) => {
        if (!deployments.exists(params.id)) throw notFound('Deployment');
        const columns = {
          ...others,
          tag_value_ids_json: tags && JSON.stringify(tags),
          remote_reconciled: reconciled === undefined ? undefined : Number(reconciled),
          updated_at: clock.now(),
        };
        for (const [column, value] of Object.entries(columns)) {
          if (value !== undefined) database.run(`UPDATE deployments SET ${column} = ? WHERE id = ?`, value, params.id);
        }
        return deployments.resource(params.id);
      },
    ),
    route(
      {
        ...control,
        method: 'POST',
        path: '/_dev/revisions/{id}/logs',
        summary: 'Add lines to a log of a revision, with the time of the service.',
        params: z.object({ id }),
        body: z.object({
          type: z.enum(['build', 'deploy']),
          lines: z.array(z.object({ level: z.enum(LOG_LEVELS).default('INFO'), message: z.string() })),
        }),
      },
      ({ params, body }) => {
        const revision = revisions.find(params.id);
        if (revision === undefined) throw notFound('Revision');
        const lines = body.lines.map((line) => ({ time: clock.now(), ...line }));
        logs.add({ kind: body.type, deploymentId: revision.deploymentId, revisionId: revision.id }, lines);
        return {};
      },
    ),
    route(
      {
        ...control,
        method: 'POST',
        path: '/_dev/faults',
        summary: 'Delay or fail the next API requests.',
        body: z.object({
          next: z.int().min(0).max(1_000_000),
          status: z.int().min(400).max(599).optional(),
          delayMs: z.int().min(0).max(600_000).optional(),
        }),
      },
      ({ body }) => {
        setFault(body);
        return {};
      },
    ),
    route(
      {
        ...control,
        method: 'POST',
        path: '/_dev/clock',
        summary: 'Advance the clock. Responds when all due steps are done.',
        body: z.object({ advanceMs: z.int().min(0).max(31_536_000_000) }),
      },
      async ({ body }) => {
        await pushWatcher.check();
        advance(body.advanceMs);
        await lifecycle.settle();
        return { now: timestamp() };
      },
    ),
    route(
      {
        ...control,
        method: 'PUT',
        path: '/_dev/providers/{id}',
        summary: 'Create or replace an OAuth provider. Missing fields get defaults.',
        params: z.object({ id: z.string() }),
        body: oauthProviderWire.partial(),
      },
      ({ params, body }) => {
        const provider = oauthProviderWire.parse({ ...providerDefaults(params.id, timestamp()), ...body });
        oauthProviders.put(params.id, provider);
        return provider;
      },
    ),
    route(
      {
        ...control,
        method: 'PUT',
        path: '/_dev/agents/{id}/connections',
        summary: 'Set the connections of an agent.',
        params: z.object({ id: z.string() }),
        body: z.object({ data: z.array(agentConnectionWire.partial()) }),
      },
      ({ params, body }) => {
        const data = body.data.map((connection) =>
          agentConnectionWire.parse({ id: randomUUID(), agent_id: params.id, ...connection }),
        );
        agents.put(params.id, data);
        return { data };
      },
    ),
  ];
}

/** A time that never comes. */
const never = Number.MAX_SAFE_INTEGER;

const busy = new Set<RevisionStatus>(['AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING']);

/** Puts a revision into a status, with the consequences that a step has. */
function forceRevision(service: Service, revisionId: string, status: RevisionStatus, hold: boolean): void {
  const { deployments, revisions, clock, stepMilliseconds } = service;
  const revision = revisions.find(revisionId);
  if (revision === undefined) throw notFound('Revision');
  const isMoving = status === 'CREATING' || status === 'QUEUED' || busy.has(status);
  const due = hold ? never : clock.monotonic() + stepMilliseconds;
  const stepDueAt = isMoving ? due : null;
  revisions.change(revisionId, { status, message: null, stepDueAt }, clock.now());
  if (status === 'DEPLOYED') deployments.activate(revision.deploymentId, revisionId, clock.now());
  if (!busy.has(status)) revisions.releaseQueued(clock.monotonic(), revision.deploymentId);
}

/** Replaces the methods of a clock, and returns what advances it. */
function movable(clock: Service['clock']): (milliseconds: number) => void {
  const now = clock.now.bind(clock);
  const monotonic = clock.monotonic.bind(clock);
  let offset = 0;
  clock.now = () => now() + offset;
  clock.monotonic = () => monotonic() + offset;
  return (milliseconds) => {
    offset += milliseconds;
  };
}

function providerDefaults(providerId: string, now: string) {
  return {
    id: providerId,
    organization_id: 'local',
    provider_id: providerId,
    name: providerId,
    client_id: `${providerId}-client`,
    auth_url: `https://${providerId}.example/authorize`,
    token_url: `https://${providerId}.example/token`,
    uses_pkce: true,
    code_challenge_method: 'S256',
    created_at: now,
    updated_at: now,
  };
}
