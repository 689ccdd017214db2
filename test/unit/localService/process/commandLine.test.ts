import { homedir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseCommandLine, UsageError } from '../../../../src/localService/process/commandLine.ts';

it('has the defaults of the usage line', () => {
  expect(parseCommandLine([])).toMatchObject({
    port: 0,
    dataFolder: path.join(homedir(), '.deployment-manager', 'local-service'),
    repositories: [],
    stepMilliseconds: 1000,
    sample: false,
  });
});

it('reads every option, and makes folders absolute', () => {
  const args = '--port 8080 --data d --repository a --repository b --step-ms 20 --sample';
  expect(parseCommandLine([...args.split(' '), '--git', path.resolve('bin/git')])).toEqual({
    port: 8080,
    dataFolder: path.resolve('d'),
    repositories: [path.resolve('a'), path.resolve('b')],
    git: path.resolve('bin/git'),
    stepMilliseconds: 20,
    sample: true,
  });
});

it('accepts the bounds of numbers', () => {
  expect(parseCommandLine('--port 65535 --step-ms 1'.split(' '))).toMatchObject({
    port: 65_535,
    stepMilliseconds: 1,
  });
});

it.each([
  [['--port', '65536'], '--port must be a whole number from 0 to 65535, but it is "65536".'],
  [['--port', '1e3'], '--port must be a whole number from 0 to 65535, but it is "1e3".'],
  [['--port', ''], '--port must be a whole number from 0 to 65535, but it is "".'],
  [['--step-ms', '0'], '--step-ms must be a whole number from 1 to 86400000, but it is "0".'],
  [['--step-ms', '1.5'], '--step-ms must be a whole number from 1 to 86400000, but it is "1.5".'],
  [['--git', 'git'], '--git must be an absolute path, but it is "git".'],
  [['--git', './git'], '--git must be an absolute path, but it is "./git".'],
])('says why %o is rejected', (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(new UsageError(message));
});

it.each([[['--data']], [['--unknown']], [['--mode', 'cloud']], [['--dev-controls']], [['--sample=yes']], [['folder']]])(
  'rejects %o',
  (args) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError);
  },
);
