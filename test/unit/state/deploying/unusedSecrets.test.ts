import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { secretPlace, storeSecret, storedSecretsAt } from '../../../../src/state/deploying/storedSecrets.ts';
import { deleteUnusedSecrets, hasStoredSecrets } from '../../../../src/state/deploying/unusedSecrets.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';
import { InMemorySecrets } from '../../../support/editorStorage.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { startSmallService, type SmallService } from '../../../support/smallService.ts';
import { work } from '../../../support/testConnections.ts';

const draft = completeDraft();
const place = secretPlace(work, draft);

/** A deployment of the draft's application. */
const agent = (id: string, fields: Partial<Deployment> = {}): Deployment => ({
  id,
  name: id,
  source: 'repohost',
  source_config: { repo_url: draft.repositoryUrl },
  source_revision_config: { repo_ref: 'main', graph_config_path: draft.configPath },
  ...fields,
});

let secrets: InMemorySecrets;
let service: SmallService;
let client: TestClient;

beforeEach(async () => {
  secrets = new InMemorySecrets();
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
  if (place !== undefined) await storeSecret(secrets, { place, name: 'TOKEN' }, 'value');
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

async function namesLeft(): Promise<readonly string[]> {
  return place === undefined ? [] : (await storedSecretsAt(secrets, place)).map(({ name }) => name);
}

describe('the stored secrets of a deleted deployment', () => {
  const elsewhere = { source_revision_config: { repo_ref: 'main', graph_config_path: 'other/graph.json' } };

  it.each<[string, readonly Deployment[], readonly string[]]>([
    ['are deleted if there is no other deployment', [], []],
    ['are deleted while it is still listed itself', [agent('d1')], []],
    ['are deleted if the others are of other applications', [agent('d2', elsewhere)], []],
    ['are deleted if another one is being deleted too', [agent('d2', { status: 'AWAITING_DELETE' })], []],
    ['stay if another deployment uses them', [agent('d2')], ['TOKEN']],
  ])('%s', async (_, deployments, left) => {
    service.deployments = deployments.map((each) => ({ ...each }));
    await deleteUnusedSecrets(secrets, work, agent('d1'), client);
    expect(await namesLeft()).toEqual(left);
  });

  it('stay if a deployment cannot be read, which may use them', async () => {
    service.deployments = [{ id: 'd2', source: 7 }];
    await deleteUnusedSecrets(secrets, work, agent('d1'), client);
    expect(await namesLeft()).toEqual(['TOKEN']);
  });

  it('are looked for before the service is asked', async () => {
    expect(await hasStoredSecrets(secrets, work, agent('d1'))).toBe(true);
    expect(await hasStoredSecrets(secrets, work, agent('d1', elsewhere))).toBe(false);
    await deleteUnusedSecrets(secrets, work, agent('d1', elsewhere), client);
    expect(service.asked()).toEqual([]);
  });
});
