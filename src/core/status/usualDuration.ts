import * as l10n from '@vscode/l10n';

/** How many earlier deployments it takes to say what is usual. */
const fewest = 3;

/** The median duration of earlier deployments of the same thing, in milliseconds. Undefined if they are too few. */
export function usualDuration(durations: readonly number[]): number | undefined {
  if (durations.length < fewest) return undefined;
  const sorted = durations.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (below + above) / 2;
}

/** Words for a usual duration. Seconds would promise more than a median can keep, so minutes are rounded. */
export function usualWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60
    ? l10n.t('usually {0} s in all', seconds)
    : l10n.t('usually {0} min in all', Math.round(seconds / 60));
}
