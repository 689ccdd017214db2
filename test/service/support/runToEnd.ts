import { execFile } from 'node:child_process';
import type { ExecFileOptions } from 'node:child_process';
import path from 'node:path';

/** The product's local service. */
export const script = path.join(import.meta.dirname, '../../../dist/localService.js');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the local service until it ends by itself. */
export async function runToEnd(
  args: readonly string[],
  { nodeArgs = [], ...options }: ExecFileOptions & { readonly nodeArgs?: readonly string[] } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { timeout: 15_000, ...options, encoding: 'utf8' } as const;
    const child = execFile(process.execPath, [...nodeArgs, script, ...args], all, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}
