import { expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { fuzz } from './support/fuzz.ts';

const fixture = runningService();

it('survives 500 random requests, and stores only what it acknowledges', async () => {
  const { accepted, refused } = await fuzz(fixture.caller, { seed: 20_261_121, count: 500 });
  // Both must be frequent, or the requests would try too little.
  expect(accepted).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
  expect(fixture.service.errors()).toBe('');
}, 60_000);
