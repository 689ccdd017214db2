/** How `npm test` was called. */
export interface CommandLine {
  readonly names: readonly string[];
  /** Seeds the delays of a late run; undefined if it isn't one. */
  readonly lateSeed: number | undefined;
}

/**
 * Reads `--late` or `--late=SEED` among the names; without a seed, the time of day gives one.
 * @throws Error if the seed isn't a whole number of at most nine digits.
 */
export function readCommandLine(words: readonly string[], now = Date.now()): CommandLine {
  const names = words.filter((word) => !/^--late(?:=|$)/.test(word));
  const flag = words.find((word) => !names.includes(word));
  if (flag === undefined) return { names, lateSeed: undefined };
  const [, seed = String(now % 10_000)] = flag.split('=');
  if (!/^\d{1,9}$/.test(seed)) throw new Error(`"${seed}" is no seed. Use --late=7, for example.`);
  return { names, lateSeed: Number(seed) };
}
