import { describe, expect, it } from 'vitest';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { callerOf } from './support/caller.ts';

const agent = '/v2/auth/agents/sample-agent/connections';
const provider = '/v2/auth/providers/calendar';

describe('a data folder that is used with --sample', () => {
  it('has an agent with a valid and an expired connection to a provider, if it is new', async () => {
    await using folder = await temporaryFolder();
    await withService(folder.path, true, async (caller) => {
      const { body } = await caller.get(agent);
      const { data } = body as { data: { provider_id: string; expires_at: string }[] };
      expect(data.map(({ provider_id }) => provider_id)).toEqual(['calendar', 'calendar']);
      expect(data.map(({ expires_at: at }) => Date.parse(at) > Date.now())).toEqual([true, false]);
      const changed = await caller.send('PATCH', provider, { body: { name: 'Mine' } });
      expect(changed).toMatchObject({ status: 200, body: { client_id: 'calendar-client' } });
    });
    // A later start brings nothing back that was changed.
    await withService(folder.path, true, async (caller) => {
      expect((await caller.send('PATCH', provider, { body: {} })).body).toMatchObject({ name: 'Mine' });
    });
  });

  it('gets no sample if it was used without before', async () => {
    await using folder = await temporaryFolder();
    for (const sample of [false, true]) {
      await withService(folder.path, sample, async (caller) => {
        expect((await caller.get(agent)).body).toEqual({ data: [] });
        expect((await caller.send('PATCH', provider, { body: {} })).status).toBe(404);
      });
    }
  });
});

async function withService(
  dataFolder: string,
  sample: boolean,
  work: (caller: Awaited<ReturnType<typeof callerOf>>) => Promise<void>,
): Promise<void> {
  const service: RunningLocalService = await startLocalService({ dataFolder, sample });
  try {
    await work(await callerOf(service));
  } finally {
    await service.stop();
  }
}
