import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

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
