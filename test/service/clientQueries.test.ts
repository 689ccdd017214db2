import { beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentListQuery } from '../../src/api/resources/deployments.ts';
import { control, imageOf, namesOf, runningServiceWithClient } from './support/clientFixture.ts';
import { advance } from './support/requests.ts';

const fixture = runningServiceWithClient();
const ids = new Map<string, string>();
const all = ['echo', 'delta', 'charlie', 'bravo', 'alpha'];

beforeAll(async () => {
  const { client, caller } = fixture;
  const bodies = [
    imageOf('alpha', { deployment_type: 'dev' }),
    imageOf('bravo', { deployment_type: 'prod' }),
    imageOf('charlie', { deployment_type: 'dev_free' }),
    imageOf('delta'),
    imageOf('echo'),
  ];
  for (const body of bodies) {
    ids.set(body.name, (await client.deployments.create(body)).id);
    // A second between two of them, so their order does not depend on the speed of the machine.
    await advance(caller, 1000);
  }
  await control(fixture, 'POST', `deployments/${ids.get('alpha')}`, {
    status: 'READY',
    tag_value_ids: ['red', 'blue'],
  });
  await control(fixture, 'POST', `deployments/${ids.get('bravo')}`, { status: 'UNUSED', tag_value_ids: ['green'] });
  await control(fixture, 'POST', `deployments/${ids.get('charlie')}`, { image_version: '0.2.0' });
  await control(fixture, 'POST', `deployments/${ids.get('delta')}`, { remote_reconciled: true });
});

describe('the query parameters of GET /v2/deployments', () => {
  it('return the newest deployments first if there are none, and the offset of the next page', async () => {
    const page = await fixture.client.deployments.list();
    expect(namesOf(page.resources)).toEqual(all);
    expect(page.offset).toBe(5);
  });

  it.each<[string, () => DeploymentListQuery, string[]]>([
    ['limit', () => ({ limit: 2 }), ['echo', 'delta']],
    ['offset', () => ({ offset: 3 }), ['bravo', 'alpha']],
    ['name_contains', () => ({ name_contains: 'ar' }), ['charlie']],
    ['status', () => ({ status: 'READY' }), ['alpha']],
    ['remote_reconciled (true)', () => ({ remote_reconciled: true }), ['delta']],
    ['remote_reconciled (false)', () => ({ remote_reconciled: false }), ['echo', 'charlie', 'bravo', 'alpha']],
    ['tag_value_ids', () => ({ tag_value_ids: 'blue,green' }), ['bravo', 'alpha']],
    ['image_version', () => ({ image_version: '0.2.0' }), ['charlie']],
    ['deployment_type (dev_free)', () => ({ deployment_type: 'dev_free' }), ['charlie']],
    ['deployment_type (dev)', () => ({ deployment_type: 'dev' }), ['alpha']],
    ['deployment_type (prod)', () => ({ deployment_type: 'prod' }), ['bravo']],
    ['deployment_ids', () => ({ deployment_ids: `${ids.get('echo')},${ids.get('bravo')}` }), ['echo', 'bravo']],
  ])('filter by %s', async (_, query, names) => {
    expect(namesOf((await fixture.client.deployments.list(query())).resources)).toEqual(names);
  });

  it('filter together', async () => {
    const query: DeploymentListQuery = {
      limit: 1,
      offset: 0,
      name_contains: 'ALPHA',
      status: 'READY,UNUSED',
      remote_reconciled: false,
      tag_value_ids: 'red',
      image_version: null,
      deployment_type: 'dev',
      deployment_ids: ids.get('alpha'),
    };
    expect(namesOf((await fixture.client.deployments.list(query)).resources)).toEqual(['alpha']);
    expect((await fixture.client.deployments.list({ ...query, image_version: '9' })).resources).toEqual([]);
  });

  it('count as absent if they are null', async () => {
    const query: DeploymentListQuery = { limit: null, status: null, remote_reconciled: null, deployment_type: null };
    expect(namesOf((await fixture.client.deployments.list(query)).resources)).toEqual(all);
  });
});
