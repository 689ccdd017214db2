import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Workbench } from './workbench.ts';

/** Every file below a folder, with what it holds; a running editor removes files while they are looked at. */
export async function filesBelow(folder: string): Promise<{ readonly name: string; readonly content: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      name: path.relative(folder, file),
      content: await readFile(file).catch(() => Buffer.alloc(0)),
    })),
  );
}

/** The names of the files below a folder that hold a text. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  return (await filesBelow(folder)).filter(({ content }) => content.includes(text)).map(({ name }) => name);
}

/**
 * The folder where the extension keeps the drafts of a kind, of the only workspace that was open. After a reload VS Code
 * may have made another one with a number at its end.
 */
export async function folderOfDrafts(
  { janitor }: Workbench,
  kind: 'resource-spec' | 'deployment-spec',
): Promise<string> {
  const storage = path.join(janitor.folder, 'vscode/data/User/workspaceStorage');
  const [workspace = ''] = (await readdir(storage)).toSorted();
  return path.join(storage, workspace, 'deployment-manager.deployment-manager', kind);
}

/**
 * Claims the workspace's folder of VS Code's storage as another process does, so that a window that starts meanwhile
 * gets another folder.
 * @returns what ends it
 */
export async function holdWorkspace(workbench: Workbench): Promise<() => void> {
  const extension = path.dirname(await folderOfDrafts(workbench, 'deployment-spec'));
  const lock = path.join(path.dirname(extension), 'vscode.lock');
  const claim = JSON.stringify({ pid: process.pid, willReleaseAt: 0 });
  // The window that has it now removes its own claim when it ends.
  const timer = setInterval(() => writeFileSync(lock, claim), 5);
  return () => clearInterval(timer);
}
