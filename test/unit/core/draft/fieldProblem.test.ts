import { expect, it, describe, test } from 'vitest';
import { secretNameProblem } from '../../../../src/core/draft/fieldProblem.ts';
import { fieldAdvice, fieldProblem, type TextField } from '../../../../src/core/draft/fields.ts';

it.each<[TextField, string]>([
  ['name', 'agent'],
  ['repositoryUrl', 'https://code.example/acme/agent'],
  ['repositoryUrl', 'git@code.example:acme/agent.git'],
  ['repositoryUrl', 'ssh://git@code.example/acme/agent'],
  ['integrationId', '0B0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a10'],
  ['ref', 'feature/x'],
  ['ref', 'refs/tags/v1.0.0'],
  ['configPath', 'apps/a/graph.json'],
  ['imageUri', 'registry.example:5000/acme/agent:1.0'],
  ['tarballPath', 'uploads/agent.tar.gz'],
  ['customUrl', ' https://agent.example/app '],
  ['installCommand', 'npm ci && npm run build'],
])('%s takes %j', (field, text) => {
  expect(fieldProblem(field, text)).toBeUndefined();
});

it.each<[TextField, string, string]>([
  ['name', ' ', 'Enter a name.'],
  ['repositoryUrl', '', 'Enter the URL of the repository.'],
  ['repositoryUrl', 'https://code.example', "isn't the URL of a repository"],
  ['repositoryUrl', 'https://me:canary@code.example/acme/agent', 'Leave out the user name and password.'],
  ['integrationId', 'one', 'a UUID'],
  ['ref', '', 'Enter a branch, a tag or a commit.'],
  ['ref', 'main~1', "can't be the name of a branch"],
  ['ref', 'refs/tags/', "can't be the name of a branch"],
  ['configPath', '', 'Enter the path of the config file.'],
  ['configPath', '/graph.json', 'inside the repository'],
  ['configPath', '../graph.json', 'inside the repository'],
  ['configPath', 'apps/', 'inside the repository'],
  ['imageUri', '', 'Enter the reference of the image.'],
  ['imageUri', 'https://registry.example/agent', "can't begin with a scheme"],
  ['customUrl', 'http://agent.example', 'https://'],
  ['customUrl', 'agent.example', 'https://'],
  ['customUrl', 'https://a b', 'no spaces'],
  ['customUrl', `https://agent.example/${'a'.repeat(2048)}`, 'at most 2048 characters'],
  ['customUrl', 'https://me:canary@agent.example', 'Leave out the user name and password.'],
  ['buildCommand', 'make\nall', 'one line'],
])('%s refuses %j', (field, text, words) => {
  const problem = fieldProblem(field, text);
  expect(problem).toContain(words);
  expect(problem).not.toContain('canary');
});

const longName = `registry.example/${'a'.repeat(300)}`;

it.each<[TextField, string, string]>([
  [
    'name',
    'Has Space',
    'Services usually take only lowercase letters, digits and hyphens, a letter first, at most 63 characters.',
  ],
  [
    'name',
    'Agent',
    'Services usually take only lowercase letters, digits and hyphens, a letter first, at most 63 characters.',
  ],
  ['imageUri', longName, "Kubernetes can't pull an image whose name is longer than 255 characters."],
  ['imageUri', `${longName}:1.0`, "Kubernetes can't pull an image whose name is longer than 255 characters."],
])('%s may be %j, with a word of advice', (field, text, advice) => {
  expect(fieldProblem(field, text)).toBeUndefined();
  expect(fieldAdvice(field, text)).toBe(advice);
});

it.each<[TextField, string]>([
  ['name', ''],
  ['name', ' my-agent-2 '],
  ['imageUri', `registry.example:5000/${'a'.repeat(200)}:1.0@sha256:${'0'.repeat(64)}`],
  ['buildCommand', 'make all'],
])('%s needs no advice about %j', (field, text) => {
  expect(fieldAdvice(field, text)).toBeUndefined();
});

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
