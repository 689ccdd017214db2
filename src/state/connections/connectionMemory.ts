import type { Memory } from '../memory.ts';
import type { ServiceConnection } from './connection.ts';
import { connectionNameOf, type Session } from './session.ts';

/** The slot of the connection selected in this workspace. */
export const choiceSlot = 'connection';

/** The values that a workspace remembers for each connection. */
const remembered = [
  'filter',
  'revisionFilter',
  'agents',
  'workspaceDeployment',
  'ownDeployments',
  'choices',
  'folders',
] as const;

/** The slot where the workspace stores a value of a connection. A rename moves every value in `remembered`. */
export function slotOfConnection(what: (typeof remembered)[number], session: Session): string {
  return slotNamed(what, connectionNameOf(session));
}

function slotNamed(what: (typeof remembered)[number], connection: string): string {
  return `${what}:${connection}`;
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the connections that were renamed between two readings of the settings.
 * A rename removes one name and adds one new name with the same address. A window that was closed meanwhile misses it,
 * and its user selects the connection again.
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

/** Moves the values that this workspace remembers of a connection to its new name. */
export async function renameInMemory(memory: Memory, { from, to }: Rename): Promise<void> {
  const moved = remembered.flatMap((what) => {
    const value = memory.get(slotNamed(what, from));
    // Also overwrite with nothing: values of an earlier connection with this name must not apply to the renamed one.
    return [memory.update(slotNamed(what, to), value), memory.update(slotNamed(what, from), undefined)];
  });
  const isChosen = memory.get(choiceSlot) === from;
  await Promise.all([...moved, ...(isChosen ? [memory.update(choiceSlot, to)] : [])]);
}
