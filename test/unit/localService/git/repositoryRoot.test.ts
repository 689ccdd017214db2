import path from 'node:path';
import { expect, it } from 'vitest';
import { isWithin } from '../../../../src/localService/git/repositoryRoot.ts';

const long = 'a-long-folder-name\\'.repeat(16);

it.each([
  ['win32', 'C:\\app', 'C:\\app', true],
  ['win32', 'C:\\app\\below', 'C:\\app', true],
  ['win32', 'C:\\app two', 'C:\\app', false],
  ['win32', 'C:\\app', 'C:\\', true],
  ['win32', 'D:\\app', 'C:\\', false],
  ['win32', '\\\\server\\share\\app', '\\\\server\\share\\', true],
  ['win32', '\\\\server\\share two\\app', '\\\\server\\share', false],
  ['win32', `C:\\app\\${long}`, 'C:\\app', true],
  ['posix', '/private/var/app', '/private/var', true],
  ['posix', '/private/variable', '/private/var', false],
  ['posix', '/app', '/', true],
] as const)('on %s, %s lies in %s: %s', (system, place, folder, expected) => {
  expect(isWithin(place, folder, path[system].sep)).toBe(expected);
});
