// The simulated year: npm run soak -- [SEEDS] [FIRST SEED]. Names the seeds in which something false was shown.
import { simulate } from './simulation.ts';

const [count = 1_000, first = 1] = process.argv.slice(2).map(Number);
const start = performance.now();
let requests = 0;
let events = 0;
let endings = 0;
const found: number[] = [];
for (let seed = first; seed < first + count; seed += 1) {
  const outcome = await simulate(seed);
  requests += outcome.requests;
  events += outcome.events;
  endings += outcome.endings;
  if (outcome.falsehood === undefined) continue;
  found.push(seed);
  if (found.length > 10) continue;
  console.log(`seed ${seed}: ${outcome.falsehood.what}`);
  if (count === 1) console.log(outcome.falsehood.trace.join('\n'));
}
const seconds = (performance.now() - start) / 1_000;
console.log(
  `${count} seeds, ${found.length} false; ${events} events, ${requests} requests, ${endings} endings; ${seconds.toFixed(1)} s`,
);
process.exitCode = found.length > 0 ? 1 : 0;
