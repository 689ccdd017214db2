import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { killRepeatedly } from './support/kills.ts';

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

it('loses nothing that it acknowledged when it is killed 10 times', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'service-kill-'));
  folders.push(folder);
  const { kills, acknowledged } = await killRepeatedly(folder, 10);
  expect(kills).toBe(10);
  expect(acknowledged).toBeGreaterThan(50);
}, 60_000);
