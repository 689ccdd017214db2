import { describe, expect, it } from 'vitest';
import type { FlavorName } from '../../../../../src/api/flavor.ts';
import { SOURCES } from '../../../../../src/api/schema/enums.ts';
import { type DeploymentDraft, emptyDraft, type ExternalImageDraft } from '../../../../../src/core/draft/draft.ts';
import { preflight } from '../../../../../src/core/draft/preflight/preflight.ts';
import { finding } from '../../../../../src/core/draft/findings.ts';
import { fullDrafts } from '../../../../support/deploymentDraft.ts';

function look(draft: DeploymentDraft, severity: string) {
  const findings = preflight({ draft, isNameTaken: false, reservedSecretNames: ['PATH'] });
  return findings.filter((finding) => finding.severity === severity);
}

const digest = `registry.example/agent@sha256:${'0'.repeat(64)}`;
const image = (changes: Partial<ExternalImageDraft> = {}): ExternalImageDraft => ({
  connectionName: 'Work',
  name: 'agent',
  deploymentType: 'dev',
  secrets: [],
  provenance: {},
  source: 'external_docker',
  imageUri: digest,
  secretReferences: [],
  ...changes,
});

it.each(SOURCES)('finds no error in a whole draft of %s', (source) => {
  expect(look(fullDrafts()[source], 'error')).toEqual([]);
});

it('finds what an empty draft of a repository needs besides what its text lacks', () => {
  expect(look(emptyDraft('repohost', 'Work'), 'error').map(({ field }) => field)).toEqual(['repositoryUrl', 'ref']);
});

it.each(['/graph.json', '../graph.json', 'a/../graph.json', 'a/..', String.raw`a\graph.json`])(
  'doubts the config path %s of uploaded source',
  (configPath) => {
    const draft = { ...fullDrafts().internal_source, configPath };
    expect(look(draft, 'warning')[0]).toEqual(
      finding(
        'warning',
        `The config path ${configPath} should be relative to the repository's root, with forward slashes.`,
        'configPath',
      ),
    );
  },
);

it.each([
  ['repohost', false],
  ['external_docker', true],
  ['internal_docker', true],
  ['internal_source', false],
  ['internal_template', true],
] as const)('says of a command of %s that it may be ignored: %s', (source, isIgnored) => {
  const { installCommand: _install, ...draft } = fullDrafts()[source];
  const findings = look({ ...draft, buildCommand: 'npm run build' }, 'info');
  const ignored = "The build command may be ignored: the service doesn't build this source.";
  expect(findings.filter(({ field }) => field === 'buildCommand')).toEqual(
    isIgnored ? [{ severity: 'info', field: 'buildCommand', message: ignored }] : [],
  );
});

it.each([
  ['external_docker', false],
  ['internal_docker', true],
] as const)('says of the resources of %s that they may be ignored: %s', (source, isIgnored) => {
  const draft = { ...fullDrafts()[source], resourceSpec: { cpu: 1 } };
  const findings = preflight({ draft, isNameTaken: false, reservedSecretNames: [], flavor: 'langsmith' });
  expect(findings.some(({ field }) => field === 'resourceSpec')).toBe(isIgnored);
});

it('says of uploaded source without a path that nothing is built yet', () => {
  const about = (tarballPath: string) => {
    const draft = Object.assign(fullDrafts().internal_source, { tarballPath });
    return look(draft, 'info').filter(({ field }) => field === 'tarballPath');
  };
  expect(about('')).toMatchObject([{ message: 'Nothing is built until source is uploaded.' }]);
  expect(about('uploads/agent.tgz')).toEqual([]);
  const draft = Object.assign(fullDrafts().internal_source, { tarballPath: '' });
  const ofExisting = preflight({ draft, isNameTaken: false, isNew: false, reservedSecretNames: [] });
  expect(ofExisting.filter(({ field }) => field === 'tarballPath')).toEqual([]);
});

describe('an image', () => {
  it('that a tag names may move; a digest stays', () => {
    expect(look(image({ imageUri: 'registry.example/agent:1.0' }), 'warning')).toMatchObject([
      { field: 'imageUri', message: expect.stringMatching(/^A tag can move to another image\. /) },
    ]);
    expect(look(image({ imageUri: 'registry.example:5000/agent' }), 'warning')).toMatchObject([
      {
        field: 'imageUri',
        message: expect.stringMatching(/^Without a tag, this is registry\.example:5000\/agent:latest, /),
      },
    ]);
    expect(look(image(), 'warning')).toEqual([]);
  });

  it('has a name that self-hosted services accept', () => {
    expect(look(image({ name: 'a'.repeat(21) }), 'warning')).toEqual([]);
    expect(look(image({ name: 'a'.repeat(22) }), 'warning')).toMatchObject([
      { field: 'name', message: expect.stringContaining('more than 21 characters; this one has 22') },
    ]);
    expect(look({ ...fullDrafts().internal_docker, name: 'a'.repeat(22) }, 'warning')).not.toContainEqual(
      expect.objectContaining({ field: 'name' }),
    );
  });
});

it('wants the value of a secret that was copied or kept by its name', () => {
  const draft = image({ secrets: [{ name: 'TOKEN', value: undefined }] });
  expect(look(draft, 'error')).toMatchObject([
    { field: 'secrets', message: expect.stringContaining('value of TOKEN') },
  ]);
});

it('has a namespace only with a listener', () => {
  const listener = { id: 'one', name: 'cluster', namespaces: ['apps'] };
  expect(look(image({ listener, kubernetesNamespace: 'apps' }), 'error')).toEqual([]);
  expect(look(image({ kubernetesNamespace: 'apps' }), 'error')).toEqual([
    finding('error', 'The namespace apps needs a listener. Choose one that has it, or none.', 'listener'),
  ]);
});

describe('the type of a deployment', () => {
  const typesOf = (deploymentType: string, flavor?: FlavorName) =>
    preflight({
      draft: image({ deploymentType }),
      isNameTaken: false,
      reservedSecretNames: [],
      ...(flavor && { flavor }),
    }).filter(({ field }) => field === 'deploymentType');

  it.each(['dev_zero', 'carrier_pigeon', ''])('is one that the connection takes, which %j is not', (type) => {
    expect(typesOf(type, 'standard')).toEqual([
      finding('error', `Work doesn't take the type "${type}". Choose another one.`, 'deploymentType'),
    ]);
    expect(typesOf(type)).toEqual([]);
  });

  it('is one that its kind of service takes', () => {
    expect(typesOf('dev', 'standard')).toEqual([]);
    expect(typesOf('dev_zero', 'langsmith')).toEqual([]);
  });
});
