import { beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentWire } from '../../src/api/resources/deployments.ts';
import { runningService } from './support/fixture.ts';
import {
  advance,
  createDeployment,
  createListener,
  imageBody,
  namesOf,
  refusedFields,
  resourcesOf,
} from './support/requests.ts';

const fixture = runningService();
const everyFilter =
  'name_contains=ALPHA&status=READY,UNUSED&remote_reconciled=false&tag_value_ids=red&deployment_type=dev&limit=1&offset=0';
const deployments = new Map<string, DeploymentWire>();

beforeAll(async () => {
  const listener = await createListener(fixture.caller, { compute_id: 'cluster' });
  const bodies = [
    imageBody('alpha', { source_config: { deployment_type: 'dev' } }),
    imageBody('beta-one', { source_config: { deployment_type: 'prod' } }),
    imageBody('Beta-Two', { source_config: { listener_id: listener.id } }),
    imageBody('gamma_%'),
  ];
  for (const body of bodies) {
    const created = await createDeployment(fixture.caller, body);
    deployments.set(created.name, created);
    // A second between two of them, so the order does not depend on the speed of the machine.
    await advance(fixture.caller, 1000);
  }
  await force('alpha', { tag_value_ids: ['red', 'blue'], image_version: '0.2.0', status: 'READY' });
  await force('beta-one', { tag_value_ids: ['blue'], image_version: '0.2.0-rc', status: 'UNUSED' });
});

async function force(name: string, fields: object): Promise<void> {
  expect((await fixture.caller.post(`/_dev/deployments/${idOf(name)}`, fields)).status).toBe(200);
}

function idOf(name: string): string {
  return deployments.get(name)!.id;
}

describe('the list of deployments', () => {
  it('is newest first, with the offset of the next page', async () => {
    const { body } = await fixture.caller.get('/v2/deployments');
    expect(namesOf(body)).toEqual(['gamma_%', 'Beta-Two', 'beta-one', 'alpha']);
    expect(body).toMatchObject({ offset: 4 });
  });

  it('has pages that together contain everything once', async () => {
    const names: string[] = [];
    let offset = 0;
    for (let page = 0; page < 5; page++) {
      const { body } = await fixture.caller.get(`/v2/deployments?limit=3&offset=${offset}`);
      names.push(...namesOf(body));
      ({ offset } = body as { offset: number });
    }
    expect(names).toEqual(['gamma_%', 'Beta-Two', 'beta-one', 'alpha']);
    expect(offset).toBe(4);
  });

  it.each([
    ['name_contains=beta', ['Beta-Two', 'beta-one']],
    ['name_contains=%25', ['gamma_%']],
    ['name_contains=_', ['gamma_%']],
    ['name_contains=', ['gamma_%', 'Beta-Two', 'beta-one', 'alpha']],
    ['status=READY', ['alpha']],
    ['status=READY,UNUSED', ['beta-one', 'alpha']],
    ['status=NO_SUCH_STATUS', []],
    ['remote_reconciled=true', ['Beta-Two']],
    ['remote_reconciled=false', ['gamma_%', 'beta-one', 'alpha']],
    ['tag_value_ids=red', ['alpha']],
    ['tag_value_ids=red,blue', ['beta-one', 'alpha']],
    ['tag_value_ids=green', []],
    ['image_version=0.2.0', ['alpha']],
    ['deployment_type=dev', ['alpha']],
    ['deployment_type=dev_free', []],
    ['deployment_type=prod', ['beta-one']],
    [`${everyFilter}&image_version=0.2.0`, ['alpha']],
    [`${everyFilter}&image_version=9`, []],
    ['unknown=1', ['gamma_%', 'Beta-Two', 'beta-one', 'alpha']],
  ])('filters with %s', async (query, names) => {
    expect(namesOf((await fixture.caller.get(`/v2/deployments?${query}`)).body)).toEqual(names);
  });

  it('filters with a comma-separated list of IDs in any spelling', async () => {
    const ids = `${idOf('alpha').toUpperCase()}, ${idOf('beta-one')},not-an-id`;
    const { body } = await fixture.caller.get(`/v2/deployments?deployment_ids=${encodeURIComponent(ids)}`);
    expect(namesOf(body)).toEqual(['beta-one', 'alpha']);
  });

  it('counts the filtered rows, not the stored ones, in its offset', async () => {
    const { body } = await fixture.caller.get('/v2/deployments?name_contains=beta&limit=1&offset=1');
    expect(namesOf(body)).toEqual(['beta-one']);
    expect(body).toMatchObject({ offset: 2 });
  });

  it('orders rows of the same moment by ID', async () => {
    const created = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        createDeployment(fixture.caller, imageBody(`same-moment-${index}`)),
      ),
    );
    const { body } = await fixture.caller.get('/v2/deployments?name_contains=same-moment&limit=100');
    const expected = created
      .toSorted((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id))
      .map(({ name }) => name);
    expect(namesOf(body)).toEqual(expected);
  });
});

describe('the bounds of all three lists', () => {
  const lists = ['/v2/deployments', '/v2/listeners', '/v2/deployments/ID/revisions'];
  const refused = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=ten',
    'limit=1e1',
    'offset=-1',
    'offset=x',
  ].concat(`offset=${Number.MAX_SAFE_INTEGER + 1}`);

  it.each(lists.flatMap((list) => refused.map((query) => [list, query] as const)))(
    'apply to %s: %s',
    async (list, query) => {
      const answer = await fixture.caller.get(`${list.replace('ID', idOf('alpha'))}?${query}`);
      expect(refusedFields(answer)).toEqual([`query.${query.split('=')[0]}`]);
    },
  );

  it.each(lists)('are allowed values for %s', async (list) => {
    const path = list.replace('ID', idOf('alpha'));
    for (const query of ['limit=1', 'limit=100', 'offset=0', 'limit=&offset=', 'limit=1&offset=0']) {
      expect((await fixture.caller.get(`${path}?${query}`)).status).toBe(200);
    }
  });

  it.each(lists)('include an empty page past the end of %s, with an unchanged offset', async (list) => {
    const { body } = await fixture.caller.get(`${list.replace('ID', idOf('alpha'))}?offset=${Number.MAX_SAFE_INTEGER}`);
    expect(body).toEqual({ resources: [], offset: Number.MAX_SAFE_INTEGER });
  });

  it.each(lists)('exclude a repeated parameter for %s', async (list) => {
    const answer = await fixture.caller.get(`${list.replace('ID', idOf('alpha'))}?limit=1&limit=2`);
    expect(refusedFields(answer)).toEqual(['query.limit']);
  });

  it('include a default limit of 20', async () => {
    for (let index = 0; index < 21; index++) {
      await createListener(fixture.caller, { compute_id: `of-many-${index}` });
    }
    for (const list of ['/v2/deployments', '/v2/listeners']) {
      expect(resourcesOf((await fixture.caller.get(list)).body)).toHaveLength(20);
    }
  });

  it('exclude an unknown deployment type', async () => {
    expect(refusedFields(await fixture.caller.get('/v2/deployments?deployment_type=huge'))).toEqual([
      'query.deployment_type',
    ]);
  });

  it('exclude flags other than true and false', async () => {
    for (const flag of ['1', 'yes', 'TRUE']) {
      expect(refusedFields(await fixture.caller.get(`/v2/deployments?remote_reconciled=${flag}`))).toEqual([
        'query.remote_reconciled',
      ]);
    }
  });
});

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
