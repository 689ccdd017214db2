import type { Memory } from '../memory.ts';
import type { ServiceConnection } from './connection.ts';
import type { Session } from './session.ts';

/** The connection that this workspace chose. */
export const choiceSlot = 'connection';

/** What a workspace remembers of each connection. */
const remembered = ['filter', 'revisionFilter', 'agents', 'workspaceDeployment'] as const;

/** The slot in which the workspace keeps something of a connection; every name of such a thing moves with a rename. */
export function slotOfConnection(what: (typeof remembered)[number], session: Session): string {
  return slotNamed(what, session.kind === 'none' ? '' : session.connection.name);
}

function slotNamed(what: (typeof remembered)[number], connection: string): string {
  return `${what}:${connection}`;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * What was renamed between two readings of the settings: a name is gone, and one new name has its address. A window
 * that was closed meanwhile cannot tell; its person chooses the connection again.
 */
export function findRenames(
  before: readonly ServiceConnection[],
  after: readonly ServiceConnection[],
): readonly Rename[] {
  const isIn = (connections: readonly ServiceConnection[], name: string): boolean =>
    connections.some((connection) => connection.name === name);
  const gone = before.filter(({ name }) => !isIn(after, name));
  const added = after.filter(({ name }) => !isIn(before, name));
  return gone.flatMap(({ name: from, baseUrl }) => {
    const [first, second] = added.filter((connection) => connection.baseUrl === baseUrl);
    const isOnlyOne = gone.filter((connection) => connection.baseUrl === baseUrl).length === 1;
    return first !== undefined && second === undefined && isOnlyOne ? [{ from, to: first.name }] : [];
  });
}

/** Keeps what this workspace remembers of a connection under its new name. */
export async function renameInMemory(memory: Memory, { from, to }: Rename): Promise<void> {
  const moved = remembered.flatMap((what) => {
    const value = memory.get(slotNamed(what, from));
    // Also where nothing is kept: a connection that had this name once must not lend its filter to another one.
    return [memory.update(slotNamed(what, to), value), memory.update(slotNamed(what, from), undefined)];
  });
  const isChosen = memory.get(choiceSlot) === from;
  await Promise.all([...moved, ...(isChosen ? [memory.update(choiceSlot, to)] : [])]);
}
