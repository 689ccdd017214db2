/** A file on the two sides of a comparison, by its path; a side is missing where the file doesn't exist. */
export interface ChangedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The files that differ between two commits, sorted by path.
 * The editor's Git compares a commit only with the common ancestor of two, so this joins both of its comparisons:
 * `ahead` has the changes from the ancestor to the second commit, `behind` those from the ancestor to the first one.
 */
export function joinChanges(ahead: readonly ChangedFile[], behind: readonly ChangedFile[]): readonly ChangedFile[] {
  const joined = new Map(ahead.map((change) => [keyOf(change), change]));
  for (const change of behind) {
    const { after } = joined.get(keyOf(change)) ?? { after: change.before };
    joined.set(keyOf(change), { before: change.after, after });
  }
  return [...joined.values()]
    .filter(({ before, after }) => before !== undefined || after !== undefined)
    .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
}

function pathOf({ before, after }: ChangedFile): string {
  return after ?? before ?? '';
}

/** What both comparisons call a file: its path in the ancestor, or its new path. */
function keyOf({ before, after }: ChangedFile): string {
  return before === undefined ? `+${after}` : `=${before}`;
}
