import { describe, expect, it } from 'vitest';
import { followFifty, followOne, lookAway, medianOf } from '../../../soak/requests.ts';
import { simulate } from '../../../soak/simulation.ts';

/** Runs simulations one after the other: those that found something, and how much there was to find it in. */
async function simulateAll(first: number, count: number): Promise<{ readonly found: string[]; endings: number }> {
  const found: string[] = [];
  let endings = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await simulate(seed);
    endings += outcome.endings;
    if (outcome.falsehood !== undefined) {
      found.push(`seed ${seed} ${outcome.falsehood.what}\n${outcome.falsehood.trace.join('\n')}`);
    }
  }
  return { found, endings };
}

describe('a simulated year of following', () => {
  // In a soak, run any number with other seeds: npm run soak -- 50000
  it('shows nothing that was not so', { timeout: 900_000 }, async () => {
    const { found, endings } = await simulateAll(1, 200);
    expect(found.slice(0, 3)).toEqual([]);
    expect(endings).toBeGreaterThan(1_000);
  });

  it('notices a service that calls a revision active that is not', async () => {
    const { falsehood } = await simulate(1, { lies: true });
    expect(falsehood?.what).toMatch(/serving this/);
  });

  it('is the same each time', async () => {
    expect(await simulate(7)).toEqual(await simulate(7));
  });
});

describe('the requests of a follow', () => {
  it('are at most 60 for a deployment of 14 minutes, and half of its changes are seen within 5 seconds', async () => {
    const { requests, others, lags } = await followOne(1);
    expect({ requests, others, median: medianOf(lags) }).toEqual({ requests: 43, others: 1, median: 2_107 });
    const many = await Promise.all(Array.from({ length: 100 }, (_, index) => followOne(index + 1)));
    expect(Math.max(...many.map((each) => each.requests))).toBeLessThanOrEqual(60);
    const all = many.flatMap((each) => each.lags).toSorted((one, other) => one - other);
    expect(all).toHaveLength(600);
    expect(medianOf(all)).toBeLessThanOrEqual(5_000);
  });

  it('are known for 50 deployments in an hour, with and without the focus', async () => {
    expect([await followFifty(1, true), await followFifty(1, false)]).toEqual([2_405, 1_500]);
  });

  it('are none in an hour in which nothing is followed and nobody looks', async () => {
    expect(await lookAway(1)).toBe(0);
  });
});
