import { isRecord } from '../../../api/schema/json.ts';
import { slotOfConnection } from '../../connections/connectionMemory.ts';
import type { ReadySession } from '../../connections/session.ts';
import { isStoredText, type Memory } from '../../memory.ts';

/** The deployment that a folder was uploaded to last, and the config file in the folder. */
export interface FolderDeployment {
  readonly deploymentId: string;
  readonly configPath: string;
}

/** More folders than a workspace has. */
const mostFolders = 50;

/** The deployment of a folder on a connection. It may be gone by now. */
export function folderDeployment(memory: Memory, session: ReadySession, folder: string): FolderDeployment | undefined {
  return storedFolders(memory, session).find((stored) => stored.folder === folder);
}

/** Remembers the deployment of a folder. */
export async function rememberFolder(
  memory: Memory,
  session: ReadySession,
  folder: string,
  { deploymentId, configPath }: FolderDeployment,
): Promise<void> {
  const others = storedFolders(memory, session).filter((stored) => stored.folder !== folder);
  const stored = [{ folder, deploymentId, configPath }, ...others].slice(0, mostFolders);
  await memory.update(slotOfConnection('folders', session), stored);
}

function storedFolders(
  memory: Memory,
  session: ReadySession,
): readonly (FolderDeployment & { readonly folder: string })[] {
  const stored = memory.get(slotOfConnection('folders', session));
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { folder, deploymentId, configPath } = item;
    return isStoredText(folder) && isStoredText(deploymentId) && isStoredText(configPath)
      ? [{ folder, deploymentId, configPath }]
      : [];
  });
}
