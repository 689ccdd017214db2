import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  freeDeploymentName,
  isUsualDeploymentName,
  parseDeploymentRef,
  suggestDeploymentName,
} from '../../../../src/core/draft/draft.ts';
import { forgettingSecrets } from '../../../../src/core/secrets/forgettingSecrets.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

describe('the suggested name', () => {
  test.each([
    ['sample-agent', 'graph.json', 'sample-agent'],
    ['Sample_Agent.v2', 'graph.json', 'sample-agent-v2'],
    ['monorepo', 'apps/chat/graph.json', 'monorepo-chat'],
    ['chat', 'apps/chat/graph.json', 'chat'],
    ['42-answers', 'graph.json', 'app-42-answers'],
    ['Über Café', 'graph.json', 'uber-cafe'],
    ['…', 'graph.json', 'app'],
    ['', 'agents/graph.json', 'agents'],
  ])('of %j with %s is %s', (repository, config, expected) => {
    expect(suggestDeploymentName(repository, config)).toBe(expected);
  });

  test('is always one that services accept', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 90 }),
        fc.string({ maxLength: 90 }),
        (repository, config) => {
          expect(suggestDeploymentName(repository, config)).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
        },
      ),
    );
  });
});

describe('a name that is free', () => {
  test.each([
    ['agent', [], 'agent'],
    ['agent', ['agents', 'agent-2'], 'agent'],
    ['agent', ['agent'], 'agent-2'],
    ['agent', ['agent', 'agent-2', 'agent-3', 'agent-5'], 'agent-4'],
    ['a'.repeat(63), ['a'.repeat(63)], `${'a'.repeat(61)}-2`],
    [`${'a'.repeat(60)}-bc`, [`${'a'.repeat(60)}-bc`], `${'a'.repeat(60)}-2`],
  ])('for %j beside %j is %j', (name, taken, expected) => {
    expect(freeDeploymentName(name, (other) => taken.includes(other))).toBe(expected);
    expect(isUsualDeploymentName(expected)).toBe(true);
  });
});

test.each([
  ['agent', true],
  ['a1-b', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['Agent', false],
  ['1agent', false],
  ['agent_1', false],
  ['agent-', false],
  ['', false],
])('%j is a usual name: %s', (name, usual) => {
  expect(isUsualDeploymentName(name)).toBe(usual);
});

test.each([
  ['main', { kind: 'branch', name: 'main' }],
  [' feature/x ', { kind: 'branch', name: 'feature/x' }],
  ['refs/heads/main', { kind: 'branch', name: 'main' }],
  ['refs/tags/v1.0.0', { kind: 'tag', name: 'v1.0.0' }],
  ['0123456789ABCDEF0123456789abcdef01234567', { kind: 'commit', name: '0123456789abcdef0123456789abcdef01234567' }],
  ['0123456', { kind: 'branch', name: '0123456' }],
])('the ref %j is %j', (text, expected) => {
  expect(parseDeploymentRef(text)).toEqual(expected);
});

describe('the secrets of a draft', () => {
  const secrets = [{ name: 'TOKEN', value: 'canary-value' }];
  let draft: DeploymentDraft;

  beforeEach(() => {
    draft = completeDraft({ secrets });
  });

  test('are there for as long as the task, and not after it', async () => {
    expect(await forgettingSecrets(draft, async () => JSON.stringify(draft))).toContain('canary-value');
    expect(JSON.stringify(draft)).not.toContain('canary-value');
  });

  test('are not there after a task that failed', async () => {
    const failing = forgettingSecrets(draft, () => Promise.reject(new Error('The service is out of order.')));
    await expect(failing).rejects.toThrow('out of order');
    expect(JSON.stringify(draft)).not.toContain('canary-value');
  });
});
