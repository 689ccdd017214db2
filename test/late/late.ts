import { setTimeout as sleep } from 'node:timers/promises';
import { createLateness } from './lateness.ts';
import type { Delayed } from './lateness.ts';

/** Set by `esbuild.mjs --late=SEED`. */
declare const LATE_SEED: number;

/** The delays of this extension host. */
export const lateness = createLateness(LATE_SEED);

/** Resolves late; rejects when the signal is aborted. */
export async function late(kind: Delayed, signal?: AbortSignal): Promise<void> {
  await sleep(lateness(kind), undefined, { signal });
}
