import { describe, expect, it } from 'vitest';
import { specPresets } from '../../../../src/core/spec/presets.ts';
import { checkSpec } from '../../../../src/core/spec/rules.ts';
import { specTotals } from '../../../../src/core/spec/totals.ts';

/** The examples as the guide has them: cores and Gi, "request/limit" where both are given. */
const published = {
  Small: { load: 5, servers: [1, 1], server: '1 2', workers: [1, 1], worker: '1 2', redis: '2', database: '2 8' },
  Medium: {
    load: 50,
    servers: [3, 3],
    server: '1/2 2/4',
    workers: [5, 5],
    worker: '1/2 2/4',
    redis: '2/2',
    database: '4/8 16/32',
  },
  Large: {
    load: 500,
    servers: [15, 25],
    server: '1/2 2/4',
    workers: [10, 20],
    worker: '1/2 2/4',
    redis: '2/2',
    database: '8/16 32/64',
  },
};

const presets = specPresets();
const preset = (wanted: string) => presets.find(({ label }) => label === wanted);
const shown = (...values: (number | undefined)[]) => values.filter((value) => value !== undefined).join('/');
const gibi = (megabytes: number | undefined) => (megabytes === undefined ? undefined : megabytes / 1024);

describe.each(Object.entries(published))('the preset %s', (label, { load, ...sizes }) => {
  const numbers = preset(label)?.numbers ?? {};

  it('has the sizes of the published example', () => {
    const { min_scale, max_scale, queue_min_scale, queue_max_scale, ...n } = numbers;
    expect({
      servers: [min_scale, max_scale],
      server: `${shown(n.cpu, n.cpu_limit)} ${shown(gibi(n.memory_mb), gibi(n.memory_limit_mb))}`,
      workers: [queue_min_scale, queue_max_scale],
      worker: `${shown(n.queue_cpu, n.queue_cpu_limit)} ${shown(gibi(n.queue_memory_mb), gibi(n.queue_memory_limit_mb))}`,
      redis: shown(gibi(n.redis_memory_mb), gibi(n.redis_memory_limit_mb)),
      database: `${shown(n.db_cpu, n.db_cpu_limit)} ${shown(gibi(n.db_memory_mb), gibi(n.db_memory_limit_mb))}`,
    }).toEqual(sizes);
  });

  it('describes its load and the numbers of replicas and queue workers', () => {
    const words = preset(label)?.description ?? '';
    const range = ([least, most]: number[]) => (least === most ? String(least) : `${least}–${most}`);
    expect(words).toBe(
      `About ${load} reads and ${load} writes a second. Replicas: ${range(sizes.servers)}, queue workers: ${range(sizes.workers)}.`,
    );
  });
});

it.each(presets)('finds nothing in the preset $label', ({ numbers }) => {
  expect(checkSpec({ ...numbers }, 'standard')).toEqual([]);
  expect(checkSpec({ ...numbers }, 'langsmith')).toEqual([]);
});

it('sets nothing for the service defaults', () => {
  expect(preset('Service defaults')?.numbers).toEqual({});
  expect(specTotals({}).minimum).toEqual({ cpu: undefined, memoryMb: undefined, unscaled: [] });
});
