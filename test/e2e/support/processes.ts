import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process, with its command line and environment. */
interface SeenProcess {
  readonly id: number;
  readonly line: string;
}

/** The command lines of all processes, but this one, that have the text in their command line or environment. */
export async function processesWith(text: string): Promise<string[]> {
  const seen = await allProcesses();
  return seen.filter(({ line }) => line.includes(text)).map(({ line }) => line.slice(0, 200));
}

/** The ids of the extension hosts of the VS Code that keeps its data in a folder, one for each window. */
export async function extensionHostsOf(folder: string): Promise<number[]> {
  const seen = await allProcesses();
  return seen.filter(({ line }) => line.includes('--type=extensionHost') && line.includes(folder)).map(({ id }) => id);
}

async function allProcesses(): Promise<SeenProcess[]> {
  return process.platform === 'linux' ? readProc() : askPs();
}

async function readProc(): Promise<SeenProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return Promise.all(
    ids.map(async (id) => {
      // A process can end while it is looked at.
      const parts = ['cmdline', 'environ'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => ''));
      return { id: Number(id), line: (await Promise.all(parts)).join(' ').replaceAll('\0', ' ') };
    }),
  );
}

async function askPs(): Promise<SeenProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axEww', '-o', 'pid=,command='], { maxBuffer: 64_000_000 });
  return stdout.split('\n').map((row) => ({ id: Number.parseInt(row, 10), line: row.replace(/^ *\d+ /, '') }));
}
