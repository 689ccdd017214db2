import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { killRepeatedly } from './support/kills.ts';

it('loses nothing that it acknowledged when it is killed 10 times', async () => {
  await using folder = await temporaryFolder();
  const { kills, acknowledged } = await killRepeatedly(folder.path, 10);
  expect(kills).toBe(10);
  expect(acknowledged).toBeGreaterThan(50);
}, 60_000);
