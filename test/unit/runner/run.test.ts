import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

it('npm test runs nothing and fails when a name matches nothing', () => {
  const script = path.resolve(import.meta.dirname, '../../run.mts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'types', 'folower'], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(
    '"folower" is neither a tier nor a part of the path of a test file.\n' +
      'The tiers are types, lint, format, build, unit, service, vscode, e2e.\n',
  );
});
