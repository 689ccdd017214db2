import { expect, it } from 'vitest';
import { deploymentReader } from '../../../../src/api/resources/deployments.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { draftLike } from '../../../../src/core/draft/likeThis.ts';
import { fullDrafts } from '../../../support/deploymentDraft.ts';

const listener = {
  id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11',
  compute_id: 'cluster',
  compute_config: { k8s_namespaces: ['apps', 'tools'] },
};
const context = { connectionName: 'Work', revision: undefined, listener, integrationName: 'Acme' };

it.each(SOURCES)(
  'copies a deployment from %s as it was sent, but for its address and the values of secrets',
  (source) => {
    const request = createRequest(fullDrafts()[source]);
    const copy = draftLike(deploymentReader.parse({ id: '1', ...request }), context);
    expect(copy?.secrets).toEqual([{ name: 'API_KEY', value: undefined }]);
    const { custom_url: _, ...config } = request.source_config ?? {};
    const secrets = [{ name: 'API_KEY', value: '' }];
    expect(copy && createRequest(copy)).toEqual({ ...request, source_config: config, secrets });
  },
);

it('copies the active revision, not the latest one', () => {
  const request = createRequest(fullDrafts().external_docker);
  const revision = { id: 'r1', source_revision_config: { image_uri: 'registry.example/acme/agent:live' } };
  const copy = draftLike(deploymentReader.parse({ id: '1', ...request }), { ...context, revision });
  expect(copy).toMatchObject({ imageUri: 'registry.example/acme/agent:live' });
});

it('copies no source that the interface does not name', () => {
  expect(draftLike({ id: '1', name: 'agent', source: 'carrier_pigeon' }, context)).toBeUndefined();
});
