import { describe, expect, test } from 'vitest';
import { secretNameProblem } from '../../../../src/core/secrets/secretName.ts';

describe('the name of a secret', () => {
  test.each(['API_KEY', 'api-key', 'a.b', 'ключ', '_'])('may be %s', (name) => {
    expect(secretNameProblem(name, ['PATH'])).toBeUndefined();
  });

  test.each([
    ['', 'Enter a name for the secret.'],
    ['A B', 'A secret\'s name can\'t contain spaces, line breaks, or "=".'],
    ['A=1', 'A secret\'s name can\'t contain spaces, line breaks, or "=".'],
    ['A\u0000', 'A secret\'s name can\'t contain spaces, line breaks, or "=".'],
    ['PATH', "PATH is set by the platform and can't be a secret. Choose another name."],
  ])('cannot be %j', (name, message) => {
    expect(secretNameProblem(name, ['PATH', 'PORT'])).toBe(message);
  });

  test('is taken once a secret or a reference has it', () => {
    const taken = { secrets: ['TOKEN'], references: ['PASSWORD'] };
    expect(secretNameProblem('TOKEN', [], taken)).toBe('A secret with this name already exists.');
    expect(secretNameProblem('PASSWORD', [], taken)).toBe('A secret reference with this name already exists.');
    expect(secretNameProblem('KEY', [], taken)).toBeUndefined();
  });

  test('is reserved only in the same case', () => {
    expect(secretNameProblem('path', ['PATH'])).toBeUndefined();
  });
});
