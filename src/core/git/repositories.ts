import type { Repository } from '../../api/resources/integrations.ts';
import { repositoryKey } from './remote.ts';

/**
 * Merges the two repository lists of an integration without duplicates.
 * The interface doesn't say which list a service fills, so both count. For a duplicate, the first list's record is
 * kept.
 */
export function mergeRepositories(first: readonly Repository[], second: readonly Repository[]): Repository[] {
  const seen = new Set<string | number>();
  return [...first, ...second].filter(({ id, url }) => {
    const key = repositoryKey(url ?? '');
    if (seen.has(id) || (key !== undefined && seen.has(key))) return false;
    seen.add(id);
    if (key !== undefined) seen.add(key);
    return true;
  });
}

/** The repository's display name, such as `acme/agent`. */
export function repositoryTitle({ owner, name }: Pick<Repository, 'owner' | 'name'>): string {
  return owner === undefined || owner === '' ? name : `${owner}/${name}`;
}

/** Whether a repository's owner and name contain every word that the user typed, in any case. */
export function fitsWords(repository: Repository, words: string): boolean {
  const title = repositoryTitle(repository).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => title.includes(word));
}
