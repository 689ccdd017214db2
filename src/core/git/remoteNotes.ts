import { sameRepository } from './remote.ts';

/**
 * Whether git's list of what it fetched last, `FETCH_HEAD`, names a branch of a remote.
 * All remotes share that list, and each fetch replaces it.
 */
export function namesBranch(fetchHead: string, remoteUrl: string, branch: string): boolean {
  const source = `\tbranch '${branch}' of `;
  return fetchHead.split('\n').some((line) => {
    const start = line.indexOf(source);
    return start >= 0 && sameRepository(line.slice(start + source.length), remoteUrl);
  });
}

/** The commits that a reflog of a remote's branch says were pushed from its clone. */
export function pushedCommits(reflog: string): readonly string[] {
  return reflog.split('\n').flatMap((line) => {
    const [, commit] = /^[0-9a-f]{4,64} ([0-9a-f]{4,64}) .*\tupdate by push$/.exec(line) ?? [];
    return commit === undefined ? [] : [commit];
  });
}

/** The time of the last line of a reflog, in milliseconds since 1970. */
export function lastLoggedTime(reflog: string): number | undefined {
  // Only a tab separates the time from the message.
  const [entry = ''] = (reflog.trimEnd().split('\n').at(-1) ?? '').split('\t');
  const seconds = /> (\d{1,12}) [+-]\d{4}$/.exec(entry)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
