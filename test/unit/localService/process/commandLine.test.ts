import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseCommandLine, UsageError } from '../../../../src/localService/process/commandLine.ts';

test('without options the service has the defaults of its usage line', () => {
  expect(parseCommandLine([])).toMatchObject({
    port: 0,
    dataFolder: path.join(homedir(), '.deployment-manager', 'local-service'),
    repositories: [],
    stepMilliseconds: 1000,
    mode: 'any',
    devControls: false,
  });
});

test('every option is read, and folders become absolute', () => {
  const args = '--port 8080 --data d --repository a --repository b --step-ms 20 --mode cloud --dev-controls';
  expect(parseCommandLine([...args.split(' '), '--git', path.resolve('bin/git')])).toEqual({
    port: 8080,
    dataFolder: path.resolve('d'),
    repositories: [path.resolve('a'), path.resolve('b')],
    git: path.resolve('bin/git'),
    stepMilliseconds: 20,
    mode: 'cloud',
    devControls: true,
  });
});

test('the bounds of the numbers and the last of the modes are taken', () => {
  expect(parseCommandLine('--port 65535 --step-ms 1 --mode self-hosted'.split(' '))).toMatchObject({
    port: 65_535,
    stepMilliseconds: 1,
    mode: 'self-hosted',
  });
});

test.each([
  [['--port', '65536'], '--port must be a whole number from 0 to 65535, but it is "65536".'],
  [['--port', '1e3'], '--port must be a whole number from 0 to 65535, but it is "1e3".'],
  [['--port', ''], '--port must be a whole number from 0 to 65535, but it is "".'],
  [['--step-ms', '0'], '--step-ms must be a whole number from 1 to 86400000, but it is "0".'],
  [['--step-ms', '1.5'], '--step-ms must be a whole number from 1 to 86400000, but it is "1.5".'],
  [['--mode', ''], '--mode must be any, cloud or self-hosted, but it is "".'],
  [['--git', 'git'], '--git must be an absolute path, but it is "git".'],
  [['--git', './git'], '--git must be an absolute path, but it is "./git".'],
])('%o is refused in words', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(new UsageError(message));
});

test.each([[['--data']], [['--unknown']], [['--dev-controls=yes']], [['folder']]])('%o is refused', (args) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError);
});
