import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

export interface ServiceOptions {
  readonly port: number;
  readonly dataFolder: string;
  /** Folders to register until the service ends. */
  readonly repositories: readonly string[];
  /** The absolute path of git; undefined to find it on the PATH. */
  readonly git: string | undefined;
  readonly stepMilliseconds: number;
  /** Whether a new data folder gets an OAuth provider and an agent with connections. */
  readonly sample: boolean;
}

/** The command line is invalid; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage =
  'localService.js [--port 0] [--data DIR] [--repository PATH]… [--git PATH] [--step-ms 1000] [--sample]';

/**
 * Reads the command line of the local service; `usage` lists the options.
 * @throws {UsageError} an option is unknown or its value is invalid
 */
export function parseCommandLine(args: readonly string[]): ServiceOptions {
  const values = parseOptions(args);
  return {
    port: wholeNumber('--port', values.port, 0, 65_535),
    dataFolder: path.resolve(values.data ?? path.join(homedir(), '.deployment-manager', 'local-service')),
    repositories: (values.repository ?? []).map((folder) => path.resolve(folder)),
    git: absolutePath('--git', values.git),
    stepMilliseconds: wholeNumber('--step-ms', values['step-ms'], 1, 86_400_000),
    sample: values.sample,
  };
}

function parseOptions(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        port: { type: 'string', default: '0' },
        data: { type: 'string' },
        repository: { type: 'string', multiple: true },
        git: { type: 'string' },
        'step-ms': { type: 'string', default: '1000' },
        sample: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Rejects a relative path, which would name a different program in each folder. */
function absolutePath(option: string, value: string | undefined): string | undefined {
  if (value === undefined || path.isAbsolute(value)) return value;
  throw new UsageError(`${option} must be an absolute path, but it is "${value}".`);
}

function wholeNumber(option: string, value: string, min: number, max: number): number {
  const number = Number(value);
  if (/^\d{1,9}$/.test(value) && number >= min && number <= max) return number;
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}, but it is "${value}".`);
}
