import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The command lines of all processes, but this one, that have the text in their command line or environment. */
export async function processesWith(text: string): Promise<string[]> {
  const lines = process.platform === 'linux' ? await readProc() : await askPs();
  return lines.filter((line) => line.includes(text)).map((line) => line.slice(0, 200));
}

async function readProc(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return Promise.all(
    ids.map(async (id) => {
      // A process can end while it is looked at.
      const parts = ['cmdline', 'environ'].map((name) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => ''));
      return (await Promise.all(parts)).join(' ').replaceAll('\0', ' ');
    }),
  );
}

async function askPs(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axEww', '-o', 'command'], { maxBuffer: 64_000_000 });
  return stdout.split('\n');
}
