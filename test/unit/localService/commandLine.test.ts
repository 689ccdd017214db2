import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCommandLine, UsageError } from '../../../src/localService/commandLine.ts';

test('without options the service has the defaults of its usage line', () => {
  expect(parseCommandLine([])).toMatchObject({
    port: 0,
    repositories: [],
    stepMilliseconds: 1000,
    mode: 'any',
    devControls: false,
  });
});

test('every option is read, and folders become absolute', () => {
  const args = '--port 8080 --data d --repository a --repository b --step-ms 20 --mode cloud --dev-controls';
  const ofWindows = ['--trusted-folder', 'c', '--restricted-folder=-d', '--git', path.resolve('bin/git')];
  expect(parseCommandLine([...args.split(' '), ...ofWindows])).toEqual({
    port: 8080,
    dataFolder: path.resolve('d'),
    repositories: [path.resolve('a'), path.resolve('b')],
    trustedFolders: [path.resolve('c')],
    restrictedFolders: [path.resolve('-d')],
    git: path.resolve('bin/git'),
    stepMilliseconds: 20,
    mode: 'cloud',
    devControls: true,
  });
});

test.each([
  [['--port', '65536']],
  [['--port', '1e3']],
  [['--port', '']],
  [['--step-ms', '1.5']],
  [['--mode', '']],
  [['--data']],
  [['--git', 'git']],
  [['--git', './git']],
  [['--unknown']],
  [['--dev-controls=yes']],
])('%o is refused', (args) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError);
});
