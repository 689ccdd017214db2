import { expect, it } from 'vitest';
import { testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';

const query = { limit: 5, status: 'BUILDING,DEPLOYED', remote_reconciled: true };

it.for([
  ['never by the standard flavor, which does not show their names', undefined, '?limit=5'],
  ['under the names that the service is known to have', { status: 'states' }, '?limit=5&states=BUILDING%2CDEPLOYED'],
  [
    'both where both are known',
    { status: 'status', remote_reconciled: 'remote_reconciled' },
    '?limit=5&status=BUILDING%2CDEPLOYED&remote_reconciled=true',
  ],
] as const)('sends the revision filters %s', async ([, revisionFilters, sent]) => {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url, revisionFilters });
  server.answer(json({ resources: [], offset: 0 }));
  await client.revisions.list('d', query);
  expect(server.seen.map(({ path }) => path)).toEqual([`/v2/deployments/d/revisions${sent}`]);
});
