import { beforeEach, describe, expect, test } from 'vitest';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { changeSource, deploymentRefText, emptyDraft, parseDeploymentRef } from '../../../../src/core/draft/draft.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { forgettingSecrets } from '../../../../src/core/secrets/forgettingSecrets.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

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

test('a ref is written as it was read', () => {
  for (const text of ['main', 'refs/tags/v1.0.0']) expect(deploymentRefText(parseDeploymentRef(text))).toBe(text);
});

describe('a draft of another source', () => {
  test.each(SOURCES)('keeps from %s what all sources take', (from) => {
    const draft = fullDrafts()[from];
    for (const source of SOURCES.filter((other) => other !== from)) {
      const changed = changeSource(draft, source);
      const { name, secrets, listener, kubernetesNamespace, customUrl, resourceSpec } = draft;
      expect(changed).toMatchObject({ source, name, secrets, listener, kubernetesNamespace, customUrl, resourceSpec });
      expect(Object.keys(changed)).toEqual(expect.arrayContaining(Object.keys(emptyDraft(source, 'Work'))));
    }
  });

  test('is the same one where the source stays', () => {
    const draft = completeDraft();
    expect(changeSource(draft, 'repohost')).toBe(draft);
  });
});

describe('the secrets of a draft', () => {
  const secrets = [{ name: 'TOKEN', value: 'canary-value' }];
  let draft: DeploymentDraft;

  beforeEach(() => {
    draft = completeDraft({ secrets });
  });

  test('are there for as long as the task, and not after it', async () => {
    expect(await forgettingSecrets([{ draft }], async () => JSON.stringify(draft))).toContain('canary-value');
    expect(JSON.stringify(draft)).not.toContain('canary-value');
  });

  test('are not there after a task that failed', async () => {
    const failing = forgettingSecrets([{ draft }], () => Promise.reject(new Error('The service is out of order.')));
    await expect(failing).rejects.toThrow('out of order');
    expect(JSON.stringify(draft)).not.toContain('canary-value');
  });
});
