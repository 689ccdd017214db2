import type { Memory } from './memory.ts';

/** The connection that this workspace chose. */
export const choiceSlot = 'connection';

/** What a workspace remembers of each connection, in slots called `PREFIX:NAME`. */
const prefixes = ['filter', 'agents', 'workspaceDeployment'];

/** Keeps what this workspace remembers of a connection under its new name. */
export async function renameInMemory(memory: Memory, from: string, to: string): Promise<void> {
  for (const prefix of prefixes) {
    const value = memory.get(`${prefix}:${from}`);
    // Also where nothing is kept: a connection that had this name once must not lend its filter to another one.
    await memory.update(`${prefix}:${to}`, value);
    await memory.update(`${prefix}:${from}`, undefined);
  }
  if (memory.get(choiceSlot) === from) await memory.update(choiceSlot, to);
}
