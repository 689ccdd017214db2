import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const root = path.resolve(import.meta.dirname, '../../..');

it('the reporter makes vitest print when a file, a hook or a test begins or ends', async () => {
  await using folder = await temporaryFolder();
  const suite = `describe('Sums', () => { beforeAll(() => {}); it('add up', () => {}); });`;
  await writeFile(path.join(folder.path, 'sums.test.js'), suite);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const reporter = path.join(root, 'test/runner/progressReporter.ts');
  const parameters = ['run', '--globals', '--root', folder.path, '--reporter', reporter];
  const { stdout } = spawnSync(process.execPath, [vitest, ...parameters], { encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual([
    '[progress] began sums.test.js',
    '[progress] began sums.test.js > Sums > beforeAll',
    '[progress] ended sums.test.js > Sums > beforeAll',
    '[progress] began sums.test.js > Sums > add up',
    '[progress] ended sums.test.js > Sums > add up',
    '[progress] ended sums.test.js',
  ]);
}, 30_000);
