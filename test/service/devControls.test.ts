import { expect, it } from 'vitest';
import { startLocalService } from '../support/localService.ts';
import { callerOf } from './support/caller.ts';
import { runningService } from './support/fixture.ts';
import { createDeployment, getDeployment, imageBody, listRevisions } from './support/requests.ts';

const fixture = runningService();
const unknownId = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';

it('has no development controls in the product', async () => {
  const service = await startLocalService();
  const caller = await callerOf(service);
  const calls = [
    ['POST', `/_dev/revisions/${unknownId}`],
    ['POST', `/_dev/deployments/${unknownId}`],
    ['POST', '/_dev/faults'],
    ['POST', '/_dev/clock'],
    ['PUT', '/_dev/providers/a'],
    ['PUT', '/_dev/agents/a/connections'],
  ] as const;
  for (const [method, path] of calls) {
    expect((await caller.send(method, path, { body: {} })).status).toBe(404);
  }
  await service.stop();
});

it('makes a revision active by setting it to DEPLOYED', async () => {
  const created = await createDeployment(fixture.caller, imageBody('forced-live'));
  await fixture.caller.post(`/_dev/revisions/${created.latest_revision_id}`, { status: 'DEPLOYED' });
  expect(await getDeployment(fixture.caller, created.id)).toMatchObject({
    status: 'READY',
    active_revision_id: created.latest_revision_id,
  });
});

it('sets fields of a deployment that no endpoint can set', async () => {
  const { id } = await createDeployment(fixture.caller, imageBody('forced-fields'));
  const { status } = await fixture.caller.post(`/_dev/deployments/${id}`, {
    status: 'AWAITING_DELETE',
    image_version: '0.3.1',
    remote_reconciled: true,
  });
  expect(status).toBe(200);
  expect(await getDeployment(fixture.caller, id)).toMatchObject({ status: 'AWAITING_DELETE', image_version: '0.3.1' });
  expect(await listRevisions(fixture.caller, id, '?remote_reconciled=true')).toHaveLength(1);
});

it('fails only the requested number of requests, and none once that is over', async () => {
  const headers = { 'x-api-key': fixture.service.apiKey };
  const answers = [];
  for (const next of [2, 0]) {
    await fixture.caller.post('/_dev/faults', { next, status: 503 });
    answers.push((await fetch(`${fixture.service.url}/v2/deployments`, { headers })).status);
  }
  await fixture.caller.post('/_dev/faults', { next: 1, status: 503 });
  for (let count = 0; count < 2; count++) {
    answers.push((await fetch(`${fixture.service.url}/v2/deployments`, { headers })).status);
  }
  expect(answers).toEqual([503, 200, 503, 200]);
});
