import { describe, expect, it } from 'vitest';
import { readDeploymentFile } from '../../../../src/core/draft/deploymentFile.ts';
import { fileFixes } from '../../../../src/core/draft/deploymentFileFixes.ts';

const rules = { flavorFor: () => 'standard' as const, reservedNames: ['PORT'] };

/** What each fix of a text's findings is called, and makes of the text. */
function fixed(text: string): readonly (readonly [title: string, text: string])[] {
  return readDeploymentFile(text, rules).flatMap((deployment) =>
    deployment.findings
      .flatMap(fileFixes(deployment))
      .map(({ title, change }) => [title, text.slice(0, change.start) + change.text + text.slice(change.end)] as const),
  );
}

describe('a finding in a deployment file', () => {
  it.each([
    ['buid_command: make # all\n', 'Change to "build_command"', 'build_command: make # all\n'],
    ['resources:\n  cpus: 2 # two\n', 'Change to "cpu"', 'resources:\n  cpu: 2 # two\n'],
    ['resources: { memory_mb: 4Gi }\n', 'Change to 4096', 'resources: { memory_mb: 4096 }\n'],
    ['resources:\n  cpu: 2500m\n', 'Change to 2.5', 'resources:\n  cpu: 2.5\n'],
    [
      'resources:\n  sidecars:\n    - name: a\n      imag: b\n',
      'Change to "image"',
      'resources:\n  sidecars:\n    - name: a\n      image: b\n',
    ],
    ['resources:\n  cpu: 1\n  cpu: 2\n', 'Remove this "cpu"', 'resources:\n  cpu: 1\n'],
    ['type: dev\ntype: prod\n', 'Remove this "type"', 'type: dev\n'],
    ['secrets:\n  KEY: canary # ours\n', 'Change to "ask"', 'secrets:\n  KEY: ask # ours\n'],
    ['secrets: { KEY: "canary" }\n', 'Change to "ask"', 'secrets: { KEY: "ask" }\n'],
    ['secrets:\n  KEY: |\n    one\n    two\n', 'Change to "ask"', 'secrets:\n  KEY: ask\n'],
    ['secrets:\n  KEY:\n', 'Change to "ask"', 'secrets:\n  KEY: ask\n'],
  ])('in %j has the fix %s', (text, title, after) => {
    expect(fixed(`name: a\n${text}`)).toEqual([[title, `name: a\n${after}`]]);
    const before = '# First.\nname: b\n---\nname: a\n';
    expect(fixed(before + text)).toEqual([[title, before + after]]);
  });

  it.each([
    'secrets: { PORT: ask }\n',
    'secrets: sk-canary\n',
    'resources: 5\n',
    'resources: { x: 2 }\n',
    'labels: &a { cpus: 2 }\nresources: *a\n',
    'secrets: { <<: { KEY: canary } }\nresources: { <<: { cpus: 2 } }\n',
    'resources: [\n',
  ])('in %j has no fix that would change another part', (text) => {
    expect(fixed(`name: a\n${text}`)).toEqual([]);
  });
});
