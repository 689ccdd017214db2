import { Random } from '../soak/random.ts';

/** What a build for `npm test -- --late` delays. */
export type Delayed = 'prompt' | 'rows' | 'answer';

const longestMilliseconds = 700;

/** Gives the delays of one kind after the other, in milliseconds: the same seed always gives the same ones. */
export function createLateness(seed: number): (kind: Delayed) => number {
  // A stream for each kind, because the order in which the kinds take turns differs between runs.
  const streams: Readonly<Record<Delayed, Random>> = {
    prompt: new Random(seed * 3),
    rows: new Random(seed * 3 + 1),
    answer: new Random(seed * 3 + 2),
  };
  return (kind) => streams[kind].between(0, longestMilliseconds + 1);
}
