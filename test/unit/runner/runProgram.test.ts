import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hireJanitor } from '../../host/janitor.mts';
import type { Janitor } from '../../host/janitor.mts';
import { isRunning } from '../../host/processState.mts';
import { runProgram } from '../../runner/runProgram.mts';
import { FakeClock } from '../../support/fakeClock.ts';

const stalledWindow = path.resolve(import.meta.dirname, '../../host/stalledWindow.mts');

/** A tier that stays in its test for ever, with a window whose page is only a stand-in. */
const hanging = `
  import { writeFileSync } from 'node:fs';
  import { answerWhenStalled } from ${JSON.stringify(stalledWindow)};
  const page = { screenshot: async ({ path }) => writeFileSync(path, '') };
  answerWhenStalled(page, async () => ['Deploying…', 'main | 0 errors']);
  console.log('[progress] began a.test.ts > works');
  console.log('[progress] ended a.test.ts > works');
  console.log('[progress] began a.test.ts > hangs');
  console.log(process.pid);
  setInterval(() => {}, 1_000);`;

describe('A program of the test run', () => {
  let janitor: Janitor;
  let lines: string[];
  let clock: FakeClock;

  beforeEach(async () => {
    janitor = await hireJanitor();
    lines = [];
    clock = new FakeClock();
  });

  afterEach(() => janitor.end());

  async function run(script: string, windows = false) {
    const file = path.join(janitor.folder, 'script.mts');
    await writeFile(file, script);
    return runProgram({
      janitor,
      name: 'tier',
      command: process.execPath,
      parameters: [file],
      folder: janitor.folder,
      show: (line) => lines.push(line),
      reports: true,
      windows,
      timers: clock,
    });
  }

  it('shows its lines but not its reports, and says that it succeeded', async () => {
    const script = `console.log('[progress] began a'); console.log('[progress] ended a'); process.stdout.write('end');`;
    expect(await run(script)).toBe(true);
    expect(lines).toEqual(['end']);
    expect(clock.pending).toEqual([]);
  });

  it('says that it failed, also what it wrote as an error', async () => {
    expect(await run(`console.error('no'); process.exit(3);`)).toBe(false);
    expect(lines).toEqual(['no']);
  });

  it('is ended when it hangs, after telling which test runs and what its window shows', async () => {
    const ended = run(hanging, true);
    await expect.poll(() => lines, { timeout: 60_000 }).toHaveLength(1);
    const program = Number(lines[0]);
    clock.advance(360_000);
    const answers = path.join(janitor.folder, 'test-results/stalled-tier');
    await expect.poll(() => textsIn(answers), { timeout: 60_000 }).toContain('0 errors');
    await expect.poll(() => clock.pending).toEqual([10_000]);
    expect(isRunning(program)).toBe(true);
    clock.advance(10_000);
    expect(await ended).toBe(false);
    expect(isRunning(program)).toBe(false);
    const picture = (await readdir(answers)).find((file) => file.endsWith('.png')) ?? '';
    expect(lines.slice(1).join('\n')).toBe(
      [
        '',
        'tier has reported nothing for 6 minutes and is ended.',
        'Running: a.test.ts > hangs',
        'A window showed:',
        `  ${path.join(answers, picture)}`,
        '  Deploying…',
        '  main | 0 errors',
      ].join('\n'),
    );
  });
});

async function textsIn(folder: string): Promise<string> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.txt'));
  return (await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))).join('');
}
