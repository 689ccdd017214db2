import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { git } from '../gitRepositories.ts';

/** Writes a hook of a repository, given its `.git` folder or the folder of a bare one. */
export async function writeHook(
  gitFolder: string,
  name: 'pre-push' | 'pre-receive' | 'proc-receive' | 'update',
  lines: readonly string[],
): Promise<void> {
  const file = path.join(gitFolder, 'hooks', name);
  await writeFile(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(file, 0o755);
}

/** Makes a bare repository decline pushes to a branch with these words and this reason, as a code host does. */
export async function declinePushes(
  bare: string,
  { branch, says, reason }: { readonly branch: string; readonly says: readonly string[]; readonly reason: string },
): Promise<void> {
  await git(bare, 'config', 'receive.procReceiveRefs', 'refs/heads');
  // Only this hook chooses the reason. It talks to git in lines that begin with their length in hexadecimal.
  const line = (text: string): string => `${(text.length + 5).toString(16).padStart(4, '0')}${text}\n`;
  const answer = `${line('version=1')}0000${line(`ng refs/heads/${branch} ${reason}`)}0000`;
  await writeHook(bare, 'proc-receive', [
    ...says.map((words) => `echo '${words.replaceAll("'", String.raw`'\''`)}' >&2`),
    `printf '${answer}'`,
    'cat >/dev/null',
  ]);
}
