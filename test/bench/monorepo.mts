import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createRepository } from '../support/gitRepositories.ts';

export interface Layout {
  readonly folders: number;
  readonly configs: number;
  readonly ignored: number;
}

const configText = '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }\n';

/** Creates a repository of many applications, of which some have a config file, and many files that git ignores. */
export async function createMonorepo(parent: string, { folders, configs, ignored }: Layout): Promise<string> {
  const files = Object.fromEntries(
    Array.from({ length: folders }, (_, index) => {
      const app = `teams/team-${index % 40}/app-${index}`;
      return index < configs ? [`${app}/graph.json`, configText] : [`${app}/agent.py`, ''];
    }),
  );
  const { folder } = await createRepository(parent, {
    name: 'monorepo',
    files: { ...files, '.gitignore': 'node_modules/\nbuild/\n' },
  });
  await writeIgnored(folder, ignored);
  return folder;
}

/** Packages and results of builds, a hundred files in each folder. */
async function writeIgnored(folder: string, count: number): Promise<void> {
  for (let begin = 0; begin < count; begin += 100) {
    const place = path.join(folder, begin % 200 === 0 ? 'node_modules' : 'build', `part-${begin % 7}`, String(begin));
    await mkdir(place, { recursive: true });
    await Promise.all(Array.from({ length: 100 }, (_, index) => writeFile(path.join(place, `${index}.js`), '')));
  }
}
