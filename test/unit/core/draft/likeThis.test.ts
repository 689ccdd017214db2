import { describe, expect, it } from 'vitest';
import { deploymentReader } from '../../../../src/api/resources/deployments.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { chooseListener, type DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { deploymentFileText } from '../../../../src/core/draft/deploymentFileText.ts';
import { readDeploymentFile } from '../../../../src/core/draft/deploymentFile.ts';
import { valueIn } from '../../../../src/core/draft/fieldValues.ts';
import { draftLike, type CopyContext } from '../../../../src/core/draft/likeThis.ts';
import { draftLines } from '../../../../src/core/draft/draftLines.ts';
import { finding } from '../../../../src/core/draft/findings.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

const listener = {
  id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11',
  compute_id: 'cluster',
  compute_config: { k8s_namespaces: ['apps', 'tools'] },
};
const context = { connectionName: 'Work', revision: undefined, listener };

function copyOf(wire: object, changes: Partial<CopyContext> = {}) {
  const copy = draftLike(deploymentReader.parse({ id: '1', ...wire }), { ...context, ...changes });
  return { draft: copy?.draft, findings: copy?.findings };
}

const templateWith = (config: object) => ({ name: 'agent', source: 'internal_template', source_config: config });

it.each(SOURCES)(
  'copies a deployment from %s as it was sent, but for its address and the values of secrets',
  (source) => {
    const request = createRequest(fullDrafts()[source]);
    const { draft, findings } = copyOf({ ...request });
    expect(findings).toEqual([]);
    expect(draft?.secrets).toEqual([{ name: 'API_KEY', value: undefined }]);
    const { custom_url: _, ...config } = request.source_config ?? {};
    const secrets = [{ name: 'API_KEY', value: '' }];
    expect(draft && createRequest(draft)).toEqual({ ...request, source_config: config, secrets });
  },
);

it('takes the address of a deployment that is changed', () => {
  const address = { custom_url: 'https://agent.example' };
  expect(copyOf(templateWith(address), { isChange: true }).draft?.customUrl).toBe(address.custom_url);
});

it('copies the active revision, not the latest one', () => {
  const request = createRequest(fullDrafts().external_docker);
  const revision = { id: 'r1', source_revision_config: { image_uri: 'registry.example/acme/agent:live' } };
  const { draft } = copyOf({ ...request }, { revision });
  expect(draft).toMatchObject({ imageUri: 'registry.example/acme/agent:live' });
});

it('copies no source that the interface does not name', () => {
  expect(draftLike({ id: '1', name: 'agent', source: 'carrier_pigeon' }, context)).toBeUndefined();
});

it('leaves out values of resources that may be secret, and says so', () => {
  const container = { name: 'proxy', env: [{ name: 'TOKEN', value: 'canary-1' }], args: ['--password=canary-2'] };
  const spec = { cpu: 1, annotations: { owner: 'canary-3' }, sidecars: [container] };
  const { draft, findings } = copyOf(templateWith({ resource_spec: spec }));
  expect(JSON.stringify(draft)).not.toContain('canary');
  expect(draft?.resourceSpec).toMatchObject({
    cpu: 1,
    sidecars: [{ name: 'proxy', env: [{ name: 'TOKEN', value: '' }] }],
  });
  expect(findings).toEqual([
    finding(
      'warning',
      "Resource values that may be secret aren't copied, such as environment values of sidecars. Enter them again.",
      'resourceSpec',
    ),
  ]);
});

it.each([
  ['repohost', 'installCommand', { source_config: { install_command: 'NPM_TOKEN=canary npm ci' } }],
  ['internal_template', 'buildCommand', { source_config: { build_command: 'make --password canary' } }],
  ['internal_source', 'tarballPath', { source_revision_config: { source_tarball_path: 'https://a/b?sig=canary' } }],
] as const)('copies what may contain a secret, of which the draft warns: %s, %s', (source, field, wire) => {
  const { draft = completeDraft(), findings } = copyOf({ name: 'agent', source, ...wire });
  expect(findings).toEqual([]);
  const found = readDeploymentFile(deploymentFileText(draft), {
    flavorFor: () => 'standard',
    reservedNames: [],
    isDraft: true,
  });
  expect(found.flatMap(({ findings: warnings }) => warnings)).toContainEqual(
    expect.objectContaining({
      severity: 'warning',
      message: expect.stringContaining('This may contain a secret. Only you can read the draft'),
    }),
  );
  expect(valueIn(createRequest(draft), field)).toContain('canary');
});

it('says that a change keeps what its draft leaves out', () => {
  const config = {
    resource_spec: { max_scale: 1.5, annotations: { owner: 'canary' } },
  };
  const { draft, findings } = copyOf(templateWith(config), { isChange: true });
  expect(JSON.stringify(draft)).not.toContain('canary');
  expect(findings).toEqual([
    finding(
      'warning',
      "The interface doesn't allow the values of max_scale. They go back to the default if you change resources.",
      'resourceSpec',
    ),
    finding(
      'info',
      "Resource values that may be secret aren't shown, such as environment values of sidecars. Those that are empty here stay as they are on the service.",
      'resourceSpec',
    ),
  ]);
});

it.each([
  ['customUrl', { custom_url: 'http://me:canary@agent.example' }],
  ['installCommand', { install_command: 'npm ci\nnpm audit --token=canary' }],
])('of a change leaves a value on the service that can not be sent: %s', (field, config) => {
  const { draft, findings } = copyOf(templateWith(config), { isChange: true });
  expect(JSON.stringify(draft)).not.toContain('canary');
  expect(findings).toMatchObject([{ severity: 'info', field, message: expect.stringContaining("can't be sent") }]);
});

it('copies the other resources if the interface does not allow some, and names those', () => {
  const { draft, findings } = copyOf(templateWith({ resource_spec: { cpu: 1, memory_mb: 512.5, max_scale: 1.5 } }));
  expect(draft?.resourceSpec).toEqual({ cpu: 1 });
  expect(findings).toEqual([
    finding(
      'warning',
      "The interface doesn't allow the values of max_scale, memory_mb, so they aren't copied.",
      'resourceSpec',
    ),
  ]);
});

describe('the listener of a copy', () => {
  const config = (namespace?: string) => ({
    listener_id: listener.id,
    listener_config: namespace === undefined ? undefined : { k8s_namespace: namespace },
  });
  const fromOf = (draft: DeploymentDraft | undefined) => (draft === undefined ? [] : draftLines(draft));

  it('has to be chosen if it was not found, and the namespace is not sent without it', () => {
    const { draft = completeDraft(), findings } = copyOf(templateWith(config('apps')), { listener: undefined });
    expect(findings).toEqual([
      finding('warning', 'The listener of agent is no longer on Work. Choose another one.', 'listener'),
    ]);
    expect(createRequest(draft).source_config).toEqual({ deployment_type: 'dev' });
    expect(fromOf(draft)).toContainEqual(expect.objectContaining({ field: 'listener', value: '' }));
    expect(fromOf(draft)).toContainEqual(expect.objectContaining({ field: 'kubernetesNamespace', value: 'apps' }));
    chooseListener(draft, listener);
    expect(createRequest(draft).source_config).toMatchObject(config('apps'));
  });

  it('is copied with its namespace, and an open namespace is nobody’s choice', () => {
    const copied = { from: 'copied from agent' };
    const whole = fromOf(copyOf(templateWith(config('tools'))).draft);
    expect(whole).toContainEqual(expect.objectContaining({ field: 'listener', value: 'cluster', ...copied }));
    expect(whole).toContainEqual(expect.objectContaining({ field: 'kubernetesNamespace', value: 'tools', ...copied }));
    const open = fromOf(copyOf(templateWith(config('gone'))).draft);
    expect(open).toContainEqual(
      expect.objectContaining({ field: 'kubernetesNamespace', value: 'chosen by the service', from: 'default' }),
    );
  });
});
