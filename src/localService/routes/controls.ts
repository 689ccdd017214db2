import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { foldersPath, stopPath } from '../../api/localService.ts';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import { DEPLOYMENT_STATUSES, REVISION_STATUSES } from '../../api/schema/enums.ts';
import { uuid } from '../../api/schema/wire.ts';
import type { PushWatcher } from '../git/pushWatcher.ts';
import type { Faults } from '../http/faults.ts';
import { badRequest, notFound } from '../http/problem.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';
import { newProvider } from '../store/auth.ts';

const ok = { status: 200, description: 'Done.', schema: z.unknown() } as const;

/**
 * The route that registers and unregisters folders, for windows and for a second start.
 * It isn't part of the API. Callers need the key of this computer's service.
 */
export function registerFolders({ repositories }: ServiceParts): Route {
  return route(
    {
      method: 'POST',
      path: foldersPath,
      operationId: 'registerFolders',
      summary: 'Register trusted folders and unregister restricted ones.',
      body: z.object({
        folders: z.array(z.string()).default([]),
        restricted: z.array(z.string()).default([]),
        repositories: z.array(z.string()).default([]),
      }),
      success: {
        status: 200,
        description: 'The reasons why folders were not registered.',
        schema: z.object({ problems: z.array(z.string()) }),
      },
    },
    async ({ body }) => ({ problems: await repositories.take(body) }),
  );
}

/** The route that stops the service for a user. Windows needs it, because no handler runs there on a signal. */
export function stopService(onStop: () => void): Route {
  return route(
    { method: 'POST', path: stopPath, operationId: 'stopService', summary: 'Stop this service.', success: ok },
    () => {
      onStop();
      return {};
    },
  );
}

const id = uuid.transform((text) => text.toLowerCase());

/**
 * Development controls, which set values that no endpoint can set.
 * They aren't part of the API and exist only if the service was started with --dev-controls.
 */
export function devControlRoutes(parts: ServiceParts, pushWatcher: PushWatcher, faults: Faults): Route[] {
  const { deployments, oauthProviders, agents, lifecycle, clock } = parts;
  return [
    route(
      {
        method: 'POST',
        path: '/_dev/revisions/{id}',
        operationId: 'forceRevision',
        summary: 'Set the status of a revision. With "hold", it stays.',
        params: z.object({ id }),
        body: z.object({ status: z.enum(REVISION_STATUSES), hold: z.boolean().optional() }),
        success: ok,
      },
      ({ params, body }) => {
        if (!lifecycle.force(params.id, body.status, body.hold ?? false)) throw notFound('Revision');
        return {};
      },
    ),
    route(
      {
        method: 'POST',
        path: '/_dev/deployments/{id}',
        operationId: 'forceDeployment',
        summary: 'Set fields of a deployment that no endpoint can set.',
        params: z.object({ id }),
        body: z.object({
          status: z.enum(DEPLOYMENT_STATUSES).optional(),
          tag_value_ids: z.array(z.string()).optional(),
          remote_reconciled: z.boolean().optional(),
          image_version: z.string().nullish(),
        }),
        success: ok,
      },
      ({ params, body }) => {
        if (!deployments.exists(params.id)) throw notFound('Deployment');
        deployments.force(params.id, body, clock.now());
        return deployments.resource(params.id);
      },
    ),
    route(
      {
        method: 'POST',
        path: '/_dev/faults',
        operationId: 'setFaults',
        summary: 'Delay or fail the next API requests.',
        body: z.object({
          next: z.int().min(0).max(1_000_000),
          status: z.int().min(400).max(599).optional(),
          delayMs: z.int().min(0).max(600_000).optional(),
        }),
        success: ok,
      },
      ({ body }) => {
        faults.set({ next: body.next, status: body.status, delayMilliseconds: body.delayMs });
        return {};
      },
    ),
    route(
      {
        method: 'POST',
        path: '/_dev/clock',
        operationId: 'advanceClock',
        summary: 'Advance the clock. Responds when all due steps are done.',
        body: z.object({ advanceMs: z.int().min(0).max(31_536_000_000) }),
        success: ok,
      },
      async ({ body }) => {
        await pushWatcher.check();
        if (!clock.advance(body.advanceMs)) throw badRequest('advanceMs', 'would advance it by more than 100 years.');
        await lifecycle.settle();
        return { now: new Date(clock.now()).toISOString() };
      },
    ),
    route(
      {
        method: 'PUT',
        path: '/_dev/providers/{id}',
        operationId: 'putProvider',
        summary: 'Create or replace an OAuth provider. Missing fields get defaults.',
        params: z.object({ id: z.string() }),
        body: oauthProviderWire.partial(),
        success: ok,
      },
      ({ params, body }) => {
        const provider = newProvider(params.id, new Date(clock.now()).toISOString(), body);
        oauthProviders.put(params.id, provider);
        return provider;
      },
    ),
    route(
      {
        method: 'PUT',
        path: '/_dev/agents/{id}/connections',
        operationId: 'putConnections',
        summary: 'Set the connections of an agent.',
        params: z.object({ id: z.string() }),
        body: z.object({ data: z.array(agentConnectionWire.partial()) }),
        success: ok,
      },
      ({ params, body }) => {
        const connections = body.data.map((connection) => ({ id: randomUUID(), agent_id: params.id, ...connection }));
        agents.setConnections(
          params.id,
          connections.map((connection) => agentConnectionWire.parse(connection)),
        );
        return { data: agents.connections(params.id) };
      },
    ),
  ];
}
