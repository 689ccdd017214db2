import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStartOptions, UsageError } from '../../host/startOptions.mts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe('The options of npm start', () => {
  it('are the sample in the browser when there are none', () => {
    expect(parseStartOptions([])).toEqual({ desktop: false, open: true, help: false });
  });

  it('take a folder of the person’s own, made absolute', async () => {
    await using temporary = await temporaryFolder();
    const relative = path.relative(process.cwd(), temporary.path);
    expect(parseStartOptions(['--folder', relative, '--desktop', '--no-open'])).toEqual({
      folder: temporary.path,
      desktop: true,
      open: false,
      help: false,
    });
  });

  it('refuse a folder that is not there, and one that is a file', async () => {
    await using temporary = await temporaryFolder();
    const file = path.join(temporary.path, 'file');
    await writeFile(file, '');
    expect(() => parseStartOptions(['--folder', file])).toThrow(
      new UsageError(`--folder names ${file}, which is not a folder.`),
    );
    const missing = path.join(temporary.path, 'missing');
    expect(() => parseStartOptions(['--folder', missing])).toThrow(
      new UsageError(`--folder names ${missing}, and there is no such folder.`),
    );
  });

  it.for([
    [['--fodler', 'x'], "Unknown option '--fodler'."],
    [['--folder'], "Option '--folder <value>' argument missing."],
    [['somewhere'], "Unexpected argument 'somewhere'."],
  ] as const)('refuse %j in words', ([parameters, message]) => {
    expect(() => parseStartOptions(parameters)).toThrow(new UsageError(message));
  });
});
