import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { deploymentWire } from '../../src/api/resources/deployments.ts';
import { uploadPlaceWire } from '../../src/api/resources/deploymentChanges.ts';
import { filledIn, toolCommands } from '../support/commandLineRequests.ts';
import type { ToolRequest } from '../support/commandLineRequests.ts';
import { tarOf } from '../support/tar.ts';
import { runningService, stepMs } from './support/fixture.ts';
import { advance, getDeployment, statuses } from './support/requests.ts';

const fixture = runningService();
const config = JSON.stringify({ dependencies: ['.'], graphs: { agent: './agent.py:graph' } });
const archive = gzipSync(tarOf({ 'graph.json': config, 'agent.py': '' }));

/** What the answers so far named. */
const values: Record<string, string> = {};

async function send({ method, path, query, headers = {}, body }: ToolRequest): Promise<unknown> {
  if (!path.startsWith('/')) {
    expect((await fetch(path, { method, headers, body: archive })).status).toBe(200);
    return undefined;
  }
  const search = new URLSearchParams(query).toString();
  const answer = await fixture.caller.send(method, search === '' ? path : `${path}?${search}`, { body, headers });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer.body;
}

it.each(toolCommands)('"$command" is served', async ({ command, requests }) => {
  for (const request of requests) {
    const answer = await send(filledIn(request, values));
    const { purpose } = request;
    if (purpose === 'create') values['deployment_id'] = deploymentWire.parse(answer).id;
    if (purpose === 'makeAddress') Object.assign(values, uploadPlaceWire.parse(answer));
    if (purpose === 'update') values['revision_id'] = deploymentWire.parse(answer).latest_revision_id ?? '';
  }
  if (command !== 'deploy --remote') return;
  await advance(fixture.caller, 6 * stepMs);
  const { id, active_revision_id: active } = await getDeployment(fixture.caller, values['deployment_id'] ?? '');
  expect(active).toBe(values['revision_id']);
  // The first one, for which nothing was uploaded, has been replaced.
  expect(await statuses(fixture.caller, id)).toEqual(['DEPLOYED', 'SKIPPED']);
});

it('the packages that a tool has found are ignored', async () => {
  const body = {
    name: 'packages',
    source: 'internal_source',
    source_config: {},
    source_revision_config: {},
    secrets: [],
  };
  const { body: created } = await fixture.caller.post('/v2/deployments', body);
  const { id } = deploymentWire.parse(created);
  const answer = await fixture.caller.send('PATCH', `/v2/deployments/${id}`, {
    body: { revision_source: 'internal_source', tracked_packages: ['deepagents:0.1.0'], secrets: [] },
  });
  expect(answer.status).toBe(200);
});
