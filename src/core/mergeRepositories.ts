import type { Repository } from '../api/integrations.ts';
import { parseGitRemote, sameRepository } from './gitRemote.ts';

/**
 * Joins the two listings of an integration without repeating what both have. Which of them a service fills is not
 * written down, so both count; where both have a repository, the first listing's record is kept.
 */
export function mergeRepositories(first: readonly Repository[], second: readonly Repository[]): Repository[] {
  const merged: Repository[] = [];
  const ids = new Set<number>();
  // Comparing each with each would take seconds for a large organisation; equal repositories have equal short names.
  const byShortName = new Map<string, Repository[]>();
  for (const repository of [...first, ...second]) {
    const named = byShortName.get(shortName(repository)) ?? [];
    if (ids.has(repository.id) || named.some((other) => isSame(other, repository))) continue;
    ids.add(repository.id);
    byShortName.set(shortName(repository), [...named, repository]);
    merged.push(repository);
  }
  return merged;
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

function shortName({ url, name }: Repository): string {
  return (parseGitRemote(url ?? '')?.name ?? name).toLowerCase();
}

function isSame(a: Repository, b: Repository): boolean {
  return a.url !== undefined && b.url !== undefined && sameRepository(a.url, b.url);
}
