import { distance } from 'fastest-levenshtein';

/** The names that look most like a text, if any do: at most three. Case, hyphens and underscores don't count. */
export function nearestNames(text: string, names: readonly string[]): readonly string[] {
  const plain = (name: string): string => name.slice(0, 100).replaceAll(/[-_]/g, '').toLowerCase();
  const typed = plain(text);
  const rated = names.map((name) => ({ name, apart: distance(typed, plain(name)) }));
  const least = Math.min(...rated.map(({ apart }) => apart));
  if (least > Math.max(1, Math.floor(typed.length / 3))) return [];
  return rated
    .filter(({ apart }) => apart === least)
    .map(({ name }) => name)
    .slice(0, 3);
}
