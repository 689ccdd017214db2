import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Git } from '../../src/git/git.ts';
import { writeArchive } from '../../src/state/deploying/folder/archive.ts';
import { readFolder } from '../../src/state/deploying/folder/folderContents.ts';
import { createLocalRepository, git } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { median } from './extensionHost.mts';

export const name = 'upload';

const rounds = 5;
const folders = 100;
const filesInFolder = 50;
/** In bytes; 50 MB in all. */
const fileSize = 10_000;

/** Prints how long it takes to list and pack a folder of 5,000 files, beside `tar | gzip` of the same files. */
export async function run(print: (line: string) => void): Promise<void> {
  await using temporary = await temporaryFolder();
  const app = path.join(temporary.path, 'app');
  await fill(app);
  const times: Record<'tar' | 'list' | 'pack', number[]> = { tar: [], list: [], pack: [] };
  const timed = async <T,>(what: keyof typeof times, task: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await task();
    times[what].push(performance.now() - start);
    return result;
  };
  const isolated = new Git({ workingFolder: temporary.path }, app);
  for (let round = 0; round < rounds; round += 1) {
    const [theirs, ours] = ['theirs', 'ours'].map((file) => path.join(temporary.path, `${file}-${round}.tar.gz`));
    const command = `tar --exclude=.git -cf - app | gzip > "${theirs}"`;
    await timed('tar', () => promisify(execFile)('sh', ['-c', command], { cwd: temporary.path }));
    const { files } = await timed('list', () => readFolder(app, isolated));
    await timed('pack', () => writeArchive(files, ours ?? '', { limit: Infinity }));
  }
  const [tar, list, pack] = [median(times.tar), median(times.list), median(times.pack)];
  print(`50 MB in 5,000 files, medians of ${rounds} in ms (target: at most 1.5 times tar | gzip)`);
  print(`  tar | gzip   ${tar.toFixed(0).padStart(6)}`);
  print(`  list         ${list.toFixed(0).padStart(6)}`);
  print(`  pack         ${pack.toFixed(0).padStart(6)}`);
  print(`  times        ${((list + pack) / tar).toFixed(2).padStart(6)}`);
}

/** Makes texts that compress about as well as source code does, the same ones each time. */
async function fill(app: string): Promise<void> {
  await createLocalRepository(app, { 'graph.json': '{}' });
  for (let folder = 0; folder < folders; folder += 1) {
    const place = path.join(app, `module${folder}`);
    await mkdir(place);
    for (let file = 0; file < filesInFolder; file += 1) {
      await writeFile(path.join(place, `part${file}.py`), textOf(folder * filesInFolder + file));
    }
  }
  await git(app, 'add', '--all');
  await git(app, 'commit', '--quiet', '--message', 'Add the modules');
}

function textOf(seed: number): string {
  const lines: string[] = [];
  let length = 0;
  for (let line = 0; length < fileSize; line += 1) {
    const hash = createHash('sha256').update(`${seed} ${line}`).digest('hex');
    const text = `    value_${hash.slice(0, 6)} = compute(value_${hash.slice(6, 9)}, "${hash.slice(9, 12)}")\n`;
    lines.push(text);
    length += text.length;
  }
  return lines.join('').slice(0, fileSize);
}
