import { beforeEach, describe, expect, it } from 'vitest';
import { chooseAsLastTime } from '../../../../src/core/draft/asLastTime.ts';

import type { DeploymentRef } from '../../../../src/core/git/deploymentRef.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { emptyDraft, type RepositoryDraft } from '../../../../src/core/draft/draft.ts';
import { fieldsOf } from '../../../../src/core/draft/fields.ts';
import { draftLines } from '../../../../src/core/draft/draftLines.ts';
import { renameInMemory } from '../../../../src/state/connections/connectionMemory.ts';
import type { ReadySession } from '../../../../src/state/connections/session.ts';
import { lastChoices, rememberChoices } from '../../../../src/state/deploying/rememberedChoices.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { readySession, work } from '../../../support/testConnections.ts';

const main: DeploymentRef = { kind: 'branch', name: 'main' };
const release: DeploymentRef = { kind: 'branch', name: 'release' };

let memory: InMemoryMemory;

beforeEach(() => {
  memory = new InMemoryMemory();
});

function on(name: string): ReadySession {
  return readySession({ ...work, name });
}

function full(): RepositoryDraft {
  const draft = fullDrafts().repohost;
  if (draft.source !== 'repohost') throw new Error('This is a draft of a repository.');
  return draft;
}

/** The lines of a new draft that are as they were last time. */
function linesAfter(draft: RepositoryDraft, checkedOut: DeploymentRef): readonly string[] {
  const last = lastChoices(memory, on('Work'), draft);
  const next = completeDraft({ name: 'suggested', ref: checkedOut, configPath: draft.configPath });
  if (last !== undefined) chooseAsLastTime(next, last);
  return draftLines(next).flatMap(({ label, value, from }) => (from === 'as last time' ? [`${label} ${value}`] : []));
}

describe('the choices of the last deployment', () => {
  it('are taken by the next one, with names of secrets only', async () => {
    await rememberChoices(
      memory,
      on('Work'),
      { ...full(), name: 'mine', deploymentType: 'prod' },
      { checkedOut: main },
    );
    expect(linesAfter(full(), main)).toEqual([
      'Name mine',
      'Type prod',
      'Build on push on',
      'Secrets 1 secret, without a value: API_KEY',
      'Resources 1.5 cores, 512 MB',
      'Listener cluster',
      'Namespace apps',
      'Install command npm ci',
      'Build command npm run build',
    ]);
    expect(JSON.stringify([...memory.stored])).not.toContain('canary');
  });

  it('suggest a name again that was only suggested', async () => {
    const provenance = { name: { kind: 'suggested' } } as const;
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'agent-2', provenance }), { checkedOut: main });
    expect(linesAfter(completeDraft(), main).filter((line) => line.startsWith('Name'))).toEqual([]);
  });

  it.each<[string, DeploymentRef, DeploymentRef | undefined, readonly string[]]>([
    ['what is checked out, where that was deployed', main, main, []],
    ['a branch that was chosen', release, main, ['Branch release']],
    ['a branch where nothing was checked out', release, undefined, ['Branch release']],
    ['a tag that was chosen', { kind: 'tag', name: 'v1' }, main, ['Tag v1']],
    ['no commit', { kind: 'commit', name: 'c'.repeat(40) }, main, []],
  ])('deploy again %s', async (_what, ref, checkedOut, lines) => {
    await rememberChoices(memory, on('Work'), completeDraft({ ref }), { checkedOut });
    const found = linesAfter(completeDraft(), main);
    expect(found.filter((line) => /^(Branch|Tag|Commit)/.test(line))).toEqual(lines);
  });

  it('are those of the same repository, config file and connection', async () => {
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'one' }), { checkedOut: main });
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'two', configPath: 'b/graph.json' }), {
      checkedOut: main,
    });
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'three' }), { checkedOut: main });
    const nameOf = (connection: string, configPath: string, repositoryUrl = 'git@code.example:acme/agent.git') =>
      lastChoices(memory, on(connection), completeDraft({ repositoryUrl, configPath }))?.draft.name;
    expect(nameOf('Work', 'graph.json')).toBe('three');
    expect(nameOf('Work', 'b/graph.json')).toBe('two');
    expect(nameOf('Work', 'c/graph.json')).toBeUndefined();
    expect(nameOf('Other', 'graph.json')).toBeUndefined();
    expect(nameOf('Work', 'graph.json', 'https://code.example/acme/other')).toBeUndefined();
  });

  it('are those of the last config file of the repository where only a suggestion names another one', async () => {
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'one', configPath: 'a/graph.json' }), {
      checkedOut: main,
    });
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'two', configPath: 'b/graph.json' }), {
      checkedOut: main,
    });
    const suggested = { configPath: { kind: 'suggested' } } as const;
    const lastOf = (configPath: string) =>
      lastChoices(memory, on('Work'), completeDraft({ configPath, provenance: suggested }));
    expect(lastOf('graph.json')?.draft.name).toBe('two');
    expect(lastOf('a/graph.json')?.draft.name).toBe('one');
  });

  it.each(['external_docker', 'internal_docker', 'internal_source', 'internal_template'] as const)(
    'are those of the last deployment from %s, which names no other place',
    async (source) => {
      const draft = fullDrafts()[source];
      await rememberChoices(memory, on('Work'), { ...draft, name: 'one' }, {});
      await rememberChoices(memory, on('Work'), { ...draft, name: 'two' }, {});
      const next = emptyDraft(source, 'Work');
      chooseAsLastTime(next, lastChoices(memory, on('Work'), next) ?? { draft: next });
      const expected = { ...createRequest(draft), name: 'two' };
      const { custom_url: _, ...config } = expected.source_config ?? {};
      // Each upload has a path of its own.
      const { source_tarball_path: __, ...revisionConfig } = expected.source_revision_config ?? {};
      const secrets = draft.secrets.map(({ name }) => ({ name, value: '' }));
      expect(createRequest(next)).toEqual({
        ...expected,
        source_config: config,
        source_revision_config: revisionConfig,
        secrets,
      });
      const fields = fieldsOf(next).filter((field) => !['source', 'customUrl', 'tarballPath'].includes(field));
      expect(fields.filter((field) => next.provenance[field]?.kind !== 'lastTime')).toEqual([]);
      expect(memory.get('choices:Work')).toHaveLength(1);
    },
  );

  it('are those of the folder that is uploaded, and of one of its config files', async () => {
    const inFolder = (name: string, configPath = 'graph.json') => ({
      ...fullDrafts().internal_source,
      name,
      configPath,
    });
    const folder = 'file:///work/agent';
    await rememberChoices(memory, on('Work'), inFolder('one', 'a/graph.json'), { folder });
    await rememberChoices(memory, on('Work'), inFolder('two'), { folder });
    await rememberChoices(memory, on('Work'), inFolder('three'), {});
    const lastOf = (configPath: string, from?: string) =>
      lastChoices(memory, on('Work'), inFolder('', configPath), from)?.draft.name;
    expect(lastOf('a/graph.json', folder)).toBe('one');
    expect(lastOf('b/graph.json', folder)).toBe('two');
    expect(lastOf('a/graph.json')).toBe('three');
    expect(lastOf('graph.json', 'file:///work/other')).toBeUndefined();
  });

  it('follow their connection when it is renamed', async () => {
    await rememberChoices(memory, on('Work'), completeDraft({ name: 'mine' }), { checkedOut: main });
    await renameInMemory(memory, { from: 'Work', to: 'Home' });
    expect(lastChoices(memory, on('Home'), completeDraft())?.draft.name).toBe('mine');
    expect(lastChoices(memory, on('Work'), completeDraft())).toBeUndefined();
  });

  it('are bounded', async () => {
    for (let place = 0; place < 60; place += 1) {
      await rememberChoices(memory, on('Work'), completeDraft({ configPath: `${place}/graph.json` }), {
        checkedOut: main,
      });
    }
    expect(memory.get('choices:Work')).toHaveLength(50);
    expect(lastChoices(memory, on('Work'), completeDraft({ configPath: '0/graph.json' }))).toBeUndefined();
  });

  it.each([['nothing'], [17], [[{ draft: { source: 'repohost' } }, null, 'x']]])(
    'are none where memory holds %j',
    async (stored) => {
      await memory.update('choices:Work', stored);
      expect(lastChoices(memory, on('Work'), completeDraft())).toBeUndefined();
    },
  );

  it('hold nothing that may be a secret', async () => {
    const draft = completeDraft({
      repositoryUrl: 'https://me:canary-pass@code.example/acme/agent',
      installCommand: 'TOKEN=canary-8d21-token npm ci',
      resourceSpec: { sidecars: [{ name: 'a', image: 'b', env: [{ name: 'TOKEN', value: 'canary-77aa' }] }] },
      secrets: [{ name: 'API_KEY', value: 'canary-11bb' }],
    });
    await rememberChoices(memory, on('Work'), draft, { checkedOut: main });
    expect(JSON.stringify([...memory.stored])).toContain('API_KEY');
    expect(JSON.stringify([...memory.stored])).not.toContain('canary');
    const findings = chooseAsLastTime(completeDraft(), lastChoices(memory, on('Work'), draft) ?? { draft });
    expect(findings.map(({ severity, field }) => `${severity} ${field}`)).toEqual([
      'warning resourceSpec',
      'warning installCommand',
    ]);
  });

  it.each(SOURCES)('hold nothing from %s that may be a secret', async (source) => {
    const customUrl = 'https://agent.example/?token=canary-5e6f';
    const draft = { ...fullDrafts()[source], customUrl, buildCommand: 'make --token=canary-1a2b' };
    if ('imageUri' in draft) draft.imageUri = 'https://me:canary-pass@registry.example/acme/agent';
    if ('tarballPath' in draft) draft.tarballPath = 'https://a.example/b?sig=canary-3c4d';
    await rememberChoices(memory, on('Work'), draft, {});
    expect(memory.get('choices:Work')).toHaveLength(1);
    expect(JSON.stringify([...memory.stored])).not.toContain('canary');
    const next = emptyDraft(source, 'Work');
    const findings = chooseAsLastTime(next, lastChoices(memory, on('Work'), draft) ?? { draft });
    // What no draft takes from the last one isn't missing.
    const expected = 'imageUri' in draft ? ['imageUri', 'buildCommand'] : ['buildCommand'];
    expect(findings.map(({ field }) => field)).toEqual(expected);
  });
});
