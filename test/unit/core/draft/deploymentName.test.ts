import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  freeDeploymentName,
  isUsualDeploymentName,
  nameFor,
  suggestDeploymentName,
} from '../../../../src/core/draft/deploymentName.ts';
import { emptyDraft } from '../../../../src/core/draft/draft.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
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
    ['agent-2', ['agent', 'agent-2'], 'agent-3'],
    ['agent-2', ['agent-2'], 'agent-2-2'],
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

describe('the name for a draft', () => {
  const image = emptyDraft('internal_docker', 'Work');
  const upload = emptyDraft('internal_source', 'Work');

  test.each([
    ['registry.example:5000/acme/Agent:1.0', 'agent'],
    ['registry.example/acme/agent@sha256:0123', 'agent'],
    ['agent', 'agent'],
  ])('of the image %s is %s', (imageUri, expected) => {
    expect(nameFor(Object.assign(image, { imageUri }))).toBe(expected);
  });

  test.each([
    ['uploads/my-agent.tar.gz', 'my-agent'],
    ['my_agent.tgz', 'my-agent'],
  ])('of the upload %s is %s', (tarballPath, expected) => {
    expect(nameFor(Object.assign(upload, { tarballPath }))).toBe(expected);
  });

  test('follows the repository and its config file', () => {
    expect(nameFor(completeDraft({ configPath: 'apps/chat/graph.json' }))).toBe('agent-chat');
  });

  test.each(SOURCES.filter((source) => source !== 'repohost'))('of an empty draft of %s is its own', (source) => {
    expect(nameFor({ ...emptyDraft(source, 'Work'), name: 'mine' })).toBe('mine');
  });
});
