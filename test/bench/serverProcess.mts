import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A server of this folder, in a process of its own, so only the client's work is measured. */
export interface ServerProcess extends AsyncDisposable {
  /** What it printed when it listened. */
  readonly line: string;
}

/** Starts it. It ends with its standard input. Use it with `await using`. */
export async function startServerProcess(file: string): Promise<ServerProcess> {
  const server = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(server.stdout), 'line', { signal: AbortSignal.timeout(20_000) });
  return {
    line,
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await once(server, 'exit');
    },
  };
}
