import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentPatch } from '../../../../src/api/resources/deploymentChanges.ts';
import { deploymentReader, type Deployment } from '../../../../src/api/resources/deployments.ts';
import {
  sourceConfigWire,
  sourceRevisionConfigCreateWire,
  sourceRevisionConfigWire,
} from '../../../../src/api/schema/source.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import {
  compareWithFile,
  compareWithWish,
  wishOf,
  type DeploymentWish,
} from '../../../../src/core/draft/deploymentChange.ts';
import type { DeploymentDraft, DraftSecret } from '../../../../src/core/draft/draft.ts';
import type { DraftField } from '../../../../src/core/draft/fields.ts';
import { draftLike } from '../../../../src/core/draft/likeThis.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { arbitraryOf } from '../../api/arbitrary.ts';
import * as samples from '../../api/samples.ts';

const canary = 'canary-93ab-secret';

function recordWith(changes: Partial<Deployment> = {}): Deployment {
  return deploymentReader.parse({ ...samples.deployment, source: 'repohost', ...changes });
}

const ofConfig = (config: DeploymentWish['source_config']): DeploymentWish => ({ source_config: config });
const ofRevision = (config: DeploymentWish['source_revision_config']): DeploymentWish => ({
  source_revision_config: config,
});

describe('the comparison of a deployment with a wish', () => {
  it.each<[string, DeploymentWish, DeploymentPatch, string]>([
    [
      'a branch',
      ofRevision({ repo_ref: 'dev' }),
      { revision_source: 'repohost', source_revision_config: { repo_ref: 'dev' } },
      'Branch: main → dev',
    ],
    [
      'a config file, with the rest of the revision',
      ofRevision({ repo_ref: 'main', graph_config_path: 'b/graph.json', image_uri: null }),
      {
        revision_source: 'repohost',
        source_revision_config: { repo_ref: 'main', graph_config_path: 'b/graph.json' },
      },
      'Config file: agents/graph.json → b/graph.json',
    ],
    [
      'build on push',
      ofConfig({ build_on_push: false, build_command: 'npm run build' }),
      { source_config: { build_on_push: false } },
      'Build on push: on → off',
    ],
    [
      'the repository',
      ofConfig({ repo_url: 'https://code.example/acme/other' }),
      { source_config: { repo_url: 'https://code.example/acme/other' } },
      'Repository: https://code.example/acme/agent → https://code.example/acme/other',
    ],
    [
      'the namespace',
      ofConfig({ listener_id: samples.uuid(4), listener_config: { k8s_namespace: 'tools' } }),
      { source_config: { listener_config: { k8s_namespace: 'tools' } } },
      'Namespace: agents → tools',
    ],
    [
      'a command with a secret in it',
      ofConfig({ build_command: `make --token=${canary}` }),
      { source_config: { build_command: `make --token=${canary}` } },
      'Build command: npm run build → make --token=•••',
    ],
    [
      'a resource',
      ofConfig({ resource_spec: { ...samples.resourceSpec, cpu: 3 } }),
      { source_config: { resource_spec: { ...samples.resourceSpec, cpu: 3 } } },
      'Main service: CPU request: 0.5 → 3',
    ],
    [
      'a secret reference',
      { secret_references: [{ name: 'DB', secret_name: 'db', secret_key: 'other' }] },
      { secret_references: [{ name: 'DB', secret_name: 'db', secret_key: 'other' }] },
      'Secret references: DB (db/password) → DB (db/other)',
    ],
  ])('sends only what differs: %s', (_what, wish, patch, words) => {
    const change = compareWithWish(recordWith(), wish);
    expect(change.patch).toStrictEqual(patch);
    expect(wordsOf(change)).toEqual([words]);
    expect(JSON.stringify([change.differences, change.findings])).not.toContain(canary);
  });

  it.each<[string, DeploymentWish]>([
    ['nothing', {}],
    ['everything as it is', { ...samples.deploymentCreate, source: 'repohost', secrets: undefined }],
    ['another spelling of the repository', ofConfig({ repo_url: 'git@code.example:acme/agent.git' })],
    ['another spelling of the branch', ofRevision({ repo_ref: 'refs/heads/main' })],
    ['the same resources in another order', ofConfig({ resource_spec: reversed(samples.resourceSpec) })],
  ])('changes nothing for %s', (_what, wish) => {
    expect(compareWithWish(recordWith(), wish)).toEqual({
      patch: undefined,
      makesRevision: false,
      differences: [],
      findings: [],
    });
  });

  it.each<[DeploymentWish, boolean]>([
    [ofRevision({ repo_ref: 'dev' }), true],
    [ofRevision({ graph_config_path: 'apps/graph.json' }), true],
    [ofConfig({ resource_spec: { cpu: 3 } }), true],
    [{ secrets: [{ name: 'KEY', value: 'new' }] }, true],
    [ofConfig({ build_on_push: false }), false],
    [ofConfig({ deployment_type: 'prod', custom_url: 'https://other.example' }), false],
  ])('knows whether %j makes a new revision', (wish, makesRevision) => {
    expect(compareWithWish(recordWith(), wish)).toMatchObject({ patch: expect.anything() as object, makesRevision });
  });

  it('takes what a draft would create as a wish', () => {
    const { external_docker: draft } = fullDrafts();
    const { secrets: _secrets, ...wish } = createRequest({ ...draft, name: 'agent' });
    const { patch } = compareWithWish(recordWith({ source: 'external_docker' }), wish);
    expect(patch?.source_revision_config).toEqual({ image_uri: 'registry.example/acme/agent:1.0' });
    expect(patch).not.toHaveProperty('revision_source');
    expect(patch?.source_config?.deployment_type).toBe('dev');
  });

  it.each<[DeploymentWish, string]>([
    [{ name: 'other' }, "Name can't be changed. It stays agent."],
    [{ source: 'internal_source' }, "Source can't be changed. It stays repohost."],
  ])('refuses %j', (wish, message) => {
    const change = compareWithWish(recordWith(), { ...ofRevision({ repo_ref: 'dev' }), ...wish });
    expect(change.patch).toBeUndefined();
    expect(change.findings).toMatchObject([{ severity: 'error', message }]);
  });

  it('names what can be changed, but not removed', () => {
    const change = compareWithWish(
      recordWith(),
      ofConfig({ build_command: null, resource_spec: null, custom_url: 'https://other.example' }),
    );
    expect(change.patch).toEqual({ source_config: { custom_url: 'https://other.example' } });
    expect(change.findings.map(({ field, severity }) => `${severity} ${field}`)).toEqual([
      'warning buildCommand',
      'warning resourceSpec',
    ]);
    expect(change.findings[0]?.message).toBe('Build command can be changed, but not removed. It stays npm run build.');
  });

  it('names the resources that a new spec leaves out', () => {
    const record = recordWith({ source_config: { resource_spec: { cpu: 1, memory_mb: 512, labels: { a: 'b' } } } });
    const change = compareWithWish(record, ofConfig({ resource_spec: { cpu: 2, memory_mb: null } }));
    expect(change.patch).toEqual({ source_config: { resource_spec: { cpu: 2, memory_mb: null } } });
    expect(wordsOf(change)).toEqual([
      'Main service: CPU request: 1 → 2',
      'Main service: Memory request: 512 → service default',
      'Labels: {"a":"b"} → service default',
    ]);
    expect(change.findings.map(({ message }) => message)).toEqual([
      'These resources go back to the service default: Main service: Memory request, Labels.',
    ]);
  });

  it('says that a value changes where only a hidden part does', () => {
    const sidecar = (value: string) => [{ name: 'proxy', image: 'proxy:1', env: [{ name: 'KEY', value }] }];
    const record = recordWith({ source_config: { resource_spec: { sidecars: sidecar(`${canary}-1`) } } });
    const change = compareWithWish(record, ofConfig({ resource_spec: { sidecars: sidecar(`${canary}-2`) } }));
    expect(change.differences[0]?.to).toMatch(/ \(changed\)$/);
    expect(JSON.stringify(change.differences)).not.toContain(canary);
    expect(change.patch?.source_config?.resource_spec?.sidecars?.[0]?.env?.[0]?.value).toBe(`${canary}-2`);
  });

  it('takes values of any depth, and never calls the deepest the same', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { level: deep(levels - 1) });
    const bottomless = JSON.parse(`${'{"level":'.repeat(50_000)}{}${'}'.repeat(50_000)}`) as object;
    const differs = (before: object, after: object): boolean =>
      compareWithWish(
        recordWith({ source_config: { resource_spec: { labels: { a: before } } } }),
        ofConfig({ resource_spec: { labels: { a: after } } }),
      ).patch !== undefined;
    expect(differs(deep(50), deep(50))).toBe(false);
    expect(differs(bottomless, { level: bottomless })).toBe(true);
  });

  it('gives a patch that makes any record as wished', () => {
    fc.assert(
      fc.property(records, wishes, (before, wish) => {
        const { patch = {}, findings } = compareWithWish(before, wish);
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        const after = applied(before, patch);
        expect(after).toEqual(applied(before, wish));
        const again = compareWithWish(after, wish);
        expect(again).toMatchObject({ patch: undefined, differences: [] });
      }),
    );
  });
});

/** Any record, as it is read, and any wish. They have values in common, so that some of them stay. */
const refs = fc.constantFrom('main', 'dev', 'refs/tags/v1');
const ownRefs = { repo_ref: refs, repo_url: fc.constant('https://code.example/acme/agent') };
const configs = fc
  .tuple(arbitraryOf(sourceConfigWire), fc.constant(samples.sourceConfig))
  .chain((both) => fc.constantFrom(...both));
const records: fc.Arbitrary<Deployment> = fc
  .tuple(configs, arbitraryOf(sourceRevisionConfigWire), ownRefs.repo_ref)
  .map(([config, revision, ref]) =>
    deploymentReader.parse({
      ...samples.deployment,
      source: 'repohost',
      source_config: { ...Object(config), repo_url: samples.sourceConfig.repo_url },
      source_revision_config: { ...Object(revision), repo_ref: ref },
    }),
  );
const wishes: fc.Arbitrary<DeploymentWish> = fc
  .tuple(configs, arbitraryOf(sourceRevisionConfigCreateWire), refs)
  .map(([config, revision, ref]) => ({
    source_config: { ...Object(config), repo_url: samples.sourceConfig.repo_url },
    source_revision_config: { ...Object(revision), repo_ref: ref },
  }));

/** What the service makes of a body: null leaves a value, and a resource spec is replaced as a whole. */
function applied(record: Deployment, body: DeploymentPatch | DeploymentWish): Deployment {
  const set = (config: object | null | undefined) =>
    Object.fromEntries(Object.entries(config ?? {}).filter(([, value]) => value !== null && value !== undefined));
  const listener = { ...record.source_config?.listener_config, ...set(body.source_config?.listener_config) };
  const { listener_config: _listener, ...config } = { ...record.source_config, ...set(body.source_config) };
  return deploymentReader.parse({
    ...record,
    source_config: {
      ...config,
      ...(Object.keys(listener).length === 0 ? {} : { listener_config: listener }),
    },
    source_revision_config: { ...record.source_revision_config, ...set(body.source_revision_config) },
  });
}

function wordsOf({ differences }: ReturnType<typeof compareWithWish>): string[] {
  return differences.map(({ label, from, to }) => `${label}: ${from} → ${to}`);
}

function reversed<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).toReversed()) as T;
}

describe('the comparison of a deployment with its file', () => {
  const minimal = {
    integration_id: 'one',
    repo_url: 'https://code.example/acme/agent',
    deployment_type: 'dev',
    build_on_push: true,
  };
  const revision = { repo_ref: 'main', graph_config_path: 'graph.json' };
  const bare = { source_config: minimal, source_revision_config: revision, secrets: [], secret_references: [] };

  function compared(changes: object, draft: DeploymentDraft = completeDraft()) {
    const { differing, onlyOnService } = compareWithFile(recordWith({ ...bare, ...changes }), draft);
    return { differs: differing.map(({ label }) => label), only: onlyOnService.map(({ label }) => label) };
  }

  const config = (more: object) => ({ source_config: { ...minimal, ...more } });

  it.each<[string, object]>([
    ['a new deployment', {}],
    ['an address, which the service may have made', config({ custom_url: 'https://agent.example' })],
    ['another integration with the repository', config({ integration_id: samples.uuid(9) })],
    ['resources that are all default', config({ resource_spec: { cpu: null, labels: {}, sidecars: [] } })],
    ['nothing in its optional fields', config({ listener_id: null, listener_config: {}, build_command: '' })],
    ['secrets that the service does not list', { secrets: undefined }],
  ])('finds nothing for %s', (_what, changes) => {
    expect(compared(changes)).toEqual({ differs: [], only: [] });
  });

  it.each<[string, object]>([
    ['Resources', config({ resource_spec: { cpu: 2 } })],
    ['Listener', config({ listener_id: samples.uuid(4) })],
    ['Namespace', config({ listener_config: { k8s_namespace: 'tools' } })],
    ['Install command', config({ install_command: 'npm ci' })],
    ['Build command', config({ build_command: 'make' })],
    ['Secrets', { secrets: [{ name: 'KEY' }] }],
  ])('names what the file does not say: %s', (label, changes) => {
    expect(compared(changes)).toEqual({ differs: [], only: [label] });
    const { change } = compareWithFile(recordWith({ ...bare, ...changes }), completeDraft());
    expect(change).toMatchObject({ patch: undefined, differences: [] });
  });

  it('tells what differs from what only the service has', () => {
    const has = { ...config({ resource_spec: { cpu: 2, memory_mb: 512 }, build_command: 'make' }), secrets: [] };
    expect(compared(has, completeDraft({ deploymentType: 'prod', resourceSpec: { cpu: 2 } }))).toEqual({
      differs: ['Type', 'Main service: Memory request'],
      only: ['Build command'],
    });
  });

  it.each<[string[], string[], string[], string[]]>([
    [['A', 'B'], ['A', 'B'], [], []],
    [['A'], ['A', 'B'], ['Secrets'], []],
    [['A', 'B'], ['A'], ['Secrets'], []],
    [[], ['A'], [], ['Secrets']],
  ])('goes by the names of secrets: %j in the file, %j on the service', (own, listed, differs, only) => {
    const record = { secrets: listed.map((name) => ({ name })) };
    for (const value of [undefined, canary]) {
      expect(compared(record, completeDraft({ secrets: own.map((name) => ({ name, value })) }))).toEqual({
        differs,
        only,
      });
    }
  });

  it('names secret references once, which an update removes', () => {
    const { external_docker: draft } = fullDrafts();
    const record = { ...createRequest(draft), secrets: [{ name: 'API_KEY' }] };
    expect(compared(record, { ...draft, secretReferences: [] } as DeploymentDraft)).toEqual({
      differs: ['Secret references'],
      only: [],
    });
  });

  it('finds nothing in references that nobody has, and in the config path of an upload', () => {
    const { external_docker: image, internal_source: upload } = fullDrafts();
    const without: DeploymentDraft = { ...image, secretReferences: [] } as DeploymentDraft;
    const record = { ...createRequest(without), secret_references: undefined };
    expect(compared(record, without)).toEqual({ differs: [], only: [] });
    expect(compared(createRequest(upload), { ...upload, configPath: '' } as DeploymentDraft)).toEqual({
      differs: [],
      only: [],
    });
  });

  it('names what another source has', () => {
    const { internal_docker: draft } = fullDrafts();
    const { only } = compared({}, { ...draft, secrets: [] });
    expect(only).toEqual(['Repository', 'Branch', 'Config file']);
  });

  it('finds nothing once any draft was deployed', () => {
    for (const draft of Object.values(fullDrafts())) {
      expect(compared(createRequest(draft), draft)).toEqual({ differs: [], only: [] });
    }
  });

  it('takes resources of any depth', () => {
    const deep = JSON.parse(`${'{"level":'.repeat(50_000)}{}${'}'.repeat(50_000)}`) as object;
    expect(compared(config({ resource_spec: { labels: deep } })).only).toEqual(['Resources']);
  });
});

describe('the wish of a draft', () => {
  const has = recordWith({ secrets: [{ name: 'KEPT' }, { name: 'OTHER' }] });

  it.each([
    ['stay if none has a value here', [{ name: 'KEPT', value: undefined }], undefined],
    ['stay without any in the draft', [], undefined],
    ['are wished for if one has a value', [{ name: 'KEPT', value: 'a' }], [{ name: 'KEPT', value: 'a' }]],
    [
      'are wished for if the deployment lacks one, which then misses its value',
      [{ name: 'NEW', value: undefined }],
      [{ name: 'NEW', value: undefined }],
    ],
  ])('has secrets that %s', (_words, secrets, wished) => {
    expect(wishOf(completeDraft({ secrets }), has).secrets).toEqual(wished);
  });

  it('is without the secrets that were removed, so that the others need their values', () => {
    const wished = (secrets: DraftSecret[], removedSecrets: string[]) =>
      wishOf(completeDraft({ secrets }), has, { removedSecrets }).secrets;
    const kept = { name: 'KEPT', value: undefined };
    expect(wished([kept], ['OTHER'])).toEqual([kept]);
    expect(wished([], ['KEPT', 'OTHER'])).toEqual([]);
    expect(wished([kept], ['NEVER_SENT'])).toBeUndefined();
  });

  it('asks to remove what was removed, where the deployment has it', () => {
    const draft = completeDraft({ buildCommand: undefined, customUrl: undefined });
    const record = recordWith({ source_config: { ...has.source_config, custom_url: undefined } });
    expect(wishOf(draft, record, { removed: ['buildCommand', 'customUrl'] }).source_config).toMatchObject({
      build_command: null,
    });
    const { findings } = compareWithWish(record, wishOf(draft, record, { removed: ['buildCommand', 'customUrl'] }));
    expect(findings.map(({ field }) => field)).toEqual(['buildCommand']);
  });

  it('lets secrets stay that a service does not list', () => {
    const secrets = [{ name: 'ANY', value: undefined }];
    expect(wishOf(completeDraft({ secrets }), recordWith({ secrets: undefined })).secrets).toBeUndefined();
  });

  it('is what a create request would have, besides the secrets', () => {
    for (const draft of Object.values(fullDrafts())) {
      const { secrets: _own, ...request } = createRequest(draft);
      const { secrets: _wished, ...wish } = wishOf(draft, has);
      expect(wish).toEqual(request);
    }
  });

  describe('of a deployment with values that may be secret', () => {
    const spec = {
      cpu: 1,
      annotations: { team: canary },
      sidecars: [{ name: 'proxy', args: ['--token', canary], env: [{ name: 'LOG_LEVEL', value: 'debug' }] }],
    };
    const record = recordWith({
      source: 'internal_source',
      source_config: { resource_spec: spec, install_command: `make --token=${canary}`, build_command: 'make' },
      source_revision_config: { source_tarball_path: `uploads/a?sig=${canary}`, graph_config_path: 'graph.json' },
      secrets: undefined,
      secret_references: undefined,
    });
    const listener = undefined;
    const copy = (): DeploymentDraft => {
      const copied = draftLike(record, { connectionName: 'Work', revision: undefined, listener });
      if (copied === undefined) throw new TypeError('The source is unknown.');
      expect(JSON.stringify(copied.draft.resourceSpec)).not.toContain(canary);
      return { ...copied.draft, deploymentType: 'dev' };
    };
    const changeTo = (draft: DeploymentDraft, kept: readonly DraftField[] = []) => {
      const dev = { ...record, source_config: { ...record.source_config, deployment_type: 'dev' } };
      return compareWithWish(dev, wishOf(draft, dev, { kept }));
    };

    it('leaves them as they are if nothing is changed', () => {
      expect(changeTo(copy())).toEqual({
        patch: undefined,
        makesRevision: false,
        differences: [],
        findings: [],
      });
    });

    it('sends them again with a value that is changed', () => {
      const draft = copy();
      const change = changeTo({ ...draft, resourceSpec: { ...draft.resourceSpec, cpu: 2 } });
      expect(change.patch).toEqual({ source_config: { resource_spec: { ...spec, cpu: 2 } } });
      expect(wordsOf(change)).toEqual(['Main service: CPU request: 1 → 2']);
      expect(change.findings).toEqual([]);
    });

    it('replaces one that is entered', () => {
      const draft = copy();
      const change = changeTo({ ...draft, resourceSpec: { ...draft.resourceSpec, annotations: { team: 'other' } } });
      expect(change.patch).toEqual({ source_config: { resource_spec: { ...spec, annotations: { team: 'other' } } } });
    });

    it('sends the whole revision again with a path that is changed', () => {
      const draft = { ...copy(), source: 'internal_source' as const, configPath: 'b/graph.json' };
      expect(changeTo({ ...draft, tarballPath: `uploads/a?sig=${canary}` }).patch).toEqual({
        revision_source: 'internal_source',
        source_revision_config: {
          source_tarball_path: `uploads/a?sig=${canary}`,
          graph_config_path: 'b/graph.json',
        },
      });
    });

    it('says that some will be gone if they have no place any more', () => {
      const sidecars = [{ name: 'other', args: ['--token', ''], env: [{ name: 'LOG_LEVEL', value: '' }] }];
      const change = changeTo({ ...copy(), resourceSpec: { ...spec, annotations: { team: '' }, sidecars } });
      const words = 'Resource values that may be secret will be gone, such as environment values of sidecars.';
      expect(change.findings).toMatchObject([{ severity: 'warning', field: 'resourceSpec', message: words }]);
    });

    it.each([
      [{ a: 'Bearer one' }, { a: 'two' }, 0],
      [{ a: 'same', b: 'same' }, { a: 'same' }, 1],
    ])('counts the places of those that will be gone: %j → %j', (before, after, warnings) => {
      const has = recordWith({ source_config: { resource_spec: { annotations: before } } });
      const wish = { source_config: { resource_spec: { annotations: after } } };
      expect(compareWithWish(has, wish).findings).toHaveLength(warnings);
    });

    it('keeps what a draft can not have, until it is changed', () => {
      const draft = { ...copy(), resourceSpec: undefined };
      expect(changeTo({ ...draft, resourceSpec: { cpu: 1 } }, ['resourceSpec']).patch).toBeUndefined();
      expect(changeTo({ ...draft, resourceSpec: { cpu: 1 } }).patch).toEqual({
        source_config: { resource_spec: { cpu: 1 } },
      });
    });
  });
});
