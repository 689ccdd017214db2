import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { callerOf } from './support/caller.ts';
import { createDeployment, getDeployment, imageBody, statuses } from './support/requests.ts';

/** Longer than a test takes. */
const never = 600_000;

it('goes on when the service was killed in the middle', async () => {
  await using folder = await temporaryFolder();
  const uploads = path.join(folder.path, 'uploads');
  const first = await startLocalService({ dataFolder: folder.path, stepMs: never });
  const caller = await callerOf(first);
  const [deleted, kept] = [
    await createDeployment(caller, imageBody('deleted')),
    await createDeployment(caller, imageBody('kept')),
  ];
  for (const name of [deleted.id, kept.id, 'own']) {
    await mkdir(path.join(uploads, name), { recursive: true });
    await writeFile(path.join(uploads, name, 'a.tar.gz'), '');
  }
  expect((await caller.send('DELETE', `/v2/deployments/${deleted.id}?delete_tracing_project=true`)).status).toBe(204);
  await first.kill();

  const second = await startLocalService({ dataFolder: folder.path, stepMs: never });
  const again = await callerOf(second);
  expect((await getDeployment(again, deleted.id)).status).toBe('AWAITING_DELETE');
  expect(await statuses(again, deleted.id)).toEqual(['INTERRUPTED']);
  await second.kill();

  await using third = await startLocalService({ dataFolder: folder.path, stepMs: 1 });
  const last = await callerOf(third);
  await expect.poll(async () => (await last.get(`/v2/deployments/${deleted.id}`)).status).toBe(404);
  await expect.poll(async () => (await readdir(uploads)).toSorted()).toEqual([kept.id, 'own'].toSorted());
  expect((await last.post('/v2/deployments', imageBody('deleted'))).status).toBe(201);
  expect(third.errors()).toBe('');
});

it('leaves no archives behind if the service ends before it has removed them', async () => {
  await using folder = await temporaryFolder();
  const orphan = path.join(folder.path, 'uploads', 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11');
  await mkdir(orphan, { recursive: true });
  await using service = await startLocalService({ dataFolder: folder.path });
  await expect.poll(async () => readdir(path.dirname(orphan))).toEqual([]);
  expect(service.errors()).toBe('');
});
