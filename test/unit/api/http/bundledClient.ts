import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../../../support/temporaryFolder.ts';

/** The client as one file, for scripts that need a process of their own. */
export function bundledClient() {
  let folder: TemporaryFolder;
  const pathOf = (name: string): string => path.join(folder.path, name);

  beforeAll(async () => {
    folder = await temporaryFolder();
    await build({
      stdin: {
        contents: "export * from './src/api/client.ts'; export * from './src/api/http/createTransport.ts';",
        resolveDir: path.resolve(import.meta.dirname, '../../../..'),
      },
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      outfile: pathOf('client.cjs'),
      logLevel: 'silent',
    });
  });

  afterAll(() => folder.remove());

  return {
    /** The path of another file in the folder of the client. */
    pathOf,
    /** Runs a script with the path of the client as its first argument, and gives what it prints. */
    async run(script: string, args: readonly string[], env = process.env): Promise<string> {
      const parameters = ['-e', script, pathOf('client.cjs'), ...args];
      return (await promisify(execFile)(process.execPath, parameters, { timeout: 20_000, env })).stdout.trim();
    },
  };
}
