import type { RegisteredRepositories } from '../git/repositories.ts';

/** What the service is told of folders. */
export interface FolderOptions {
  /** Those of a command line, which stay registered. */
  readonly repositories?: readonly string[];
  /** Those of a trusted window, registered until a window in Restricted Mode takes them back. */
  readonly folders?: readonly string[];
  /** Those of a window in Restricted Mode, in which git must not run. */
  readonly restricted?: readonly string[];
}

/** Registers folders and takes them back. Gives the reasons why some were not registered. */
export async function takeFolders(registered: RegisteredRepositories, options: FolderOptions): Promise<string[]> {
  return registered.inTurn(() => takeInTurn(registered, options));
}

async function takeInTurn(
  registered: RegisteredRepositories,
  { repositories = [], folders = [], restricted = [] }: FolderOptions,
): Promise<string[]> {
  for (const folder of restricted) await registered.unregister(folder);
  const problems: string[] = [];
  const offered = [
    ...folders.map((folder) => ({ folder, stays: false })),
    ...repositories.map((folder) => ({ folder, stays: true })),
  ];
  for (const { folder, stays } of offered) {
    const problem = await registered.register(folder, { stays });
    if (problem !== undefined) problems.push(problem);
  }
  return problems;
}
