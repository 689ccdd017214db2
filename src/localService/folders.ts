import type { ServiceOptions } from './commandLine.ts';
import type { Repositories } from './repositories.ts';

/** The folders that a start hands over, to its own service or to one that runs already. */
export type FolderOptions = Pick<ServiceOptions, 'repositories' | 'trustedFolders' | 'restrictedFolders'>;

/** Registers and takes back folders as a start says. Gives the reasons why some were not registered. */
export async function takeFolders(registered: Repositories, options: FolderOptions): Promise<string[]> {
  return registered.inTurn(() => takeInTurn(registered, options));
}

async function takeInTurn(
  registered: Repositories,
  { repositories, trustedFolders, restrictedFolders }: FolderOptions,
): Promise<string[]> {
  for (const folder of restrictedFolders) await registered.unregister(folder);
  const problems: string[] = [];
  const folders = [
    ...trustedFolders.map((folder) => ({ folder, stays: false })),
    ...repositories.map((folder) => ({ folder, stays: true })),
  ];
  for (const { folder, stays } of folders) {
    const problem = await registered.register(folder, { stays });
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}
