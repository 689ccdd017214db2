// The long run of the local service: 10,000 requests made from its description and 100 kills in the middle of writes.
// Flags: --seed N, --requests N, --kills N.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { callerOf } from '../service/support/caller.ts';
import { fuzz } from '../service/support/fuzz.ts';
import { killRepeatedly } from '../service/support/kills.ts';
import { startLocalService } from '../support/localService.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    requests: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '100' },
  },
});
const folder = await mkdtemp(path.join(tmpdir(), 'soak-'));
try {
  await fuzzInRounds(Number(values.seed), Number(values.requests));
  await kill(Number(values.kills));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Memory is looked at after each round: caches fill in the first ones, a leak would go on. */
async function fuzzInRounds(seed: number, requests: number): Promise<void> {
  const rounds = 5;
  const service = await startLocalService({ dataFolder: path.join(folder, 'fuzz'), stepMs: 20, devControls: true });
  const caller = await callerOf(service);
  const memory: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const figures = await fuzz(caller, { seed: seed + round, count: Math.ceil(requests / rounds) });
    const resident = await residentMegabytes(service.process.pid);
    memory.push(resident);
    console.log(
      `fuzz ${round + 1}/${rounds} (seed ${seed + round}): ${figures.accepted} accepted, ${figures.refused} refused, ` +
        `${resident.toFixed(0)} MB`,
    );
  }
  const code = await service.stop();
  if (code !== 0 || service.errors() !== '') throw new Error(`The service ended with ${code}: ${service.errors()}`);
  const grown = (memory.at(-1) ?? 0) - (memory[1] ?? 0);
  if (grown > 50) throw new Error(`The service grew by ${grown.toFixed(0)} MB after it had warmed up.`);
}

async function kill(kills: number): Promise<void> {
  const figures = await killRepeatedly(path.join(folder, 'kills'), kills);
  console.log(`${figures.kills} kills: all of ${figures.acknowledged} acknowledged writes are there, database intact`);
}

/** The memory that a process occupies, in megabytes of 1,000,000 bytes; 0 where the system does not tell it. */
async function residentMegabytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / 1_000_000;
}
