import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startLocalService } from '../../support/localService.ts';
import type { RunningLocalService } from '../../support/localService.ts';
import { callerOf } from './caller.ts';
import type { Caller } from './caller.ts';
import { imageBody } from './bodies.ts';

export interface KillFigures {
  readonly kills: number;
  readonly acknowledged: number;
}

/**
 * Ends a service with SIGKILL again and again while several clients write to it. After each end the database must be
 * intact, and after each start every acknowledged write must be there.
 */
export async function killRepeatedly(dataFolder: string, kills: number): Promise<KillFigures> {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < kills; round++) {
    const service = await startLocalService({ dataFolder, stepMs: 5 });
    const caller = await callerOf(service);
    await checkStored(caller, acknowledged);
    // Another number of writes in each round, so the end comes at another moment.
    const acknowledgedBefore = acknowledged.size + 3 + ((round * 7) % 20);
    await writeUntilKilled(service, caller, acknowledged, { round, enough: acknowledgedBefore });
    checkIntegrity(dataFolder);
  }
  const service = await startLocalService({ dataFolder, stepMs: 5 });
  await checkStored(await callerOf(service), acknowledged);
  await service.stop();
  return { kills, acknowledged: acknowledged.size };
}

async function writeUntilKilled(
  service: RunningLocalService,
  caller: Caller,
  acknowledged: Map<string, string>,
  { round, enough }: { round: number; enough: number },
): Promise<void> {
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; ; count++) {
      const name = `round-${round}-writer-${writer}-${count}`;
      const { status, body } = await caller.post('/v2/deployments', imageBody(name));
      assert.equal(status, 201);
      acknowledged.set((body as { id: string }).id, name);
      // The other writers are in the middle of their requests now.
      if (acknowledged.size === enough) await service.kill();
    }
  });
  for (const { reason } of (await Promise.allSettled(writers)) as PromiseRejectedResult[]) {
    // Each writer ends with the connection that broke under it and with nothing else.
    assert.ok(reason instanceof TypeError, String(reason));
  }
}

async function checkStored(caller: Caller, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const stored = new Map<string, string>();
  for (let offset = 0, more = true; more;) {
    const { body } = await caller.get(`/v2/deployments?limit=100&offset=${offset}`);
    const page = body as {
      resources: { id: string; name: string; latest_revision_id: string | null }[];
      offset: number;
    };
    for (const { id, name, latest_revision_id: latest } of page.resources) {
      assert.ok(latest !== null, `${name} has a revision`);
      stored.set(id, name);
    }
    more = page.offset > offset;
    ({ offset } = page);
  }
  for (const [id, name] of acknowledged) assert.equal(stored.get(id), name);
}

function checkIntegrity(dataFolder: string): void {
  const database = new DatabaseSync(path.join(dataFolder, 'service.sqlite'));
  assert.deepEqual(database.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
  database.close();
}
