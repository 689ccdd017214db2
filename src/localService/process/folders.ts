import type { RegisteredRepositories } from '../git/repositories.ts';

/** The folders to register and unregister. */
export interface FolderOptions {
  /** From a command line; they stay registered. */
  readonly repositories?: readonly string[];
  /** From a trusted window; registered until a window in Restricted Mode takes them back. */
  readonly folders?: readonly string[];
  /** From a window in Restricted Mode, where git must not run. */
  readonly restricted?: readonly string[];
}

/** Registers and unregisters folders. Returns the reasons why some weren't registered. */
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
