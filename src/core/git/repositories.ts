import type { Repository } from '../../api/resources/integrations.ts';
import { repositoryKey } from './remote.ts';

/**
 * Joins the two listings of an integration without repeating what both have. Which of them a service fills is not
 * written down, so both count; where both have a repository, the first listing's record is kept.
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

/** The repository as people write it, such as `acme/agent`. */
export function repositoryTitle({ owner, name }: Repository): string {
  return owner === undefined || owner === '' ? name : `${owner}/${name}`;
}

/** True for a repository whose owner and name hold each of the words that a person typed, in any case. */
export function fitsWords(repository: Repository, words: string): boolean {
  const title = repositoryTitle(repository).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => title.includes(word));
}
