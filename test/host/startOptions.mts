import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** The person's own folder; without one the sample repository is made and opened. */
  readonly folder?: string;
  /** Whether the `code` on the PATH is used and not the VS Code from the npm registry. */
  readonly desktop: boolean;
  /** Whether to open the browser. */
  readonly open: boolean;
  readonly help: boolean;
}

/** The command line cannot be understood; the message says what is wrong and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `npm start [-- OPTION…]
  --folder PATH  open your own git repository and not the sample
  --desktop      use the "code" on your PATH and not the VS Code from the npm registry
  --no-open      print the address without opening a browser
  --help         show this`;

/** @throws {UsageError} an unknown option, or a folder that is not there. */
export function parseStartOptions(parameters: readonly string[]): StartOptions {
  const { folder, desktop = false, 'no-open': closed = false, help = false } = read(parameters);
  return { ...(folder !== undefined && { folder: existingFolder(folder) }), desktop, open: !closed, help };
}

function read(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: false,
      options: {
        folder: { type: 'string' },
        desktop: { type: 'boolean' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(`${sentence}.`.replace(/\.\.$/, '.'), { cause: error });
  }
}

function existingFolder(folder: string): string {
  const absolute = path.resolve(folder);
  if (!existsSync(absolute)) throw new UsageError(`--folder names ${absolute}, and there is no such folder.`);
  if (!statSync(absolute).isDirectory()) throw new UsageError(`--folder names ${absolute}, which is not a folder.`);
  return absolute;
}
