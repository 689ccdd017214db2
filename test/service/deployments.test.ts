import { describe, expect, it } from 'vitest';
import { deploymentWire } from '../../src/api/resources/deployments.ts';
import { runningServiceWithSample } from './support/fixture.ts';
import {
  createDeployment,
  createListener,
  imageBody,
  refusedFields,
  repositoryBody,
  sentenceOf,
} from './support/requests.ts';

const fixture = runningServiceWithSample();

describe('a create request', () => {
  it('returns every field of the document', async () => {
    const body = await repositoryBody(fixture.caller, 'complete', {
      source_config: { deployment_type: 'dev', build_on_push: true, install_command: 'npm ci' },
      secrets: [{ name: 'TOKEN', value: 'canary-value' }],
    });
    const { status, body: created } = await fixture.caller.post('/v2/deployments', body);
    expect(status).toBe(201);
    expect(Object.keys(created as object).toSorted()).toEqual(Object.keys(deploymentWire.shape).toSorted());
    expect(created).toMatchObject({
      name: 'complete',
      source: 'repohost',
      status: 'AWAITING_DATABASE',
      active_revision_id: null,
      secrets: [{ name: 'TOKEN', value: '' }],
      source_config: { deployment_type: 'dev', build_on_push: true, install_command: 'npm ci', custom_url: null },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
    });
  });

  it.each([
    ['repohost', 'source_config.integration_id'],
    ['repohost', 'source_config.repo_url'],
    ['repohost', 'source_revision_config.repo_ref'],
    ['repohost', 'source_revision_config.graph_config_path'],
    ['external_docker', 'source_revision_config.image_uri'],
  ])('requires for %s the field %s', async (source, field) => {
    const complete = await completeBody(source);
    const [group = '', name = ''] = field.split('.');
    for (const missing of [null, '', undefined]) {
      // An id cannot be empty text.
      if (missing === '' && name === 'integration_id') continue;
      const fields = { ...(complete[group] as object), [name]: missing };
      expect(await refusalOf({ ...complete, [group]: fields })).toBe(
        `'${field}' is required for the source ${source}.`,
      );
    }
  });

  it.each([
    ['external_docker', 'source_config', { repo_url: 'https://code.example/acme/sample-agent' }],
    ['external_docker', 'source_config', { build_on_push: true }],
    ['external_docker', 'source_revision_config', { repo_ref: 'main' }],
    ['external_docker', 'source_revision_config', { graph_config_path: 'graph.json' }],
    ['external_docker', 'source_revision_config', { source_tarball_path: 'a.tgz' }],
    ['repohost', 'source_revision_config', { image_uri: 'acme/agent:1' }],
    ['internal_template', 'source_revision_config', { source_tarball_path: 'a.tgz' }],
  ])('rejects for %s in %s the fields %o of another source', async (source, group, fields) => {
    const body = await completeBody(source);
    expect(
      await refusalOf({
        ...body,
        [group]: { ...(body[group] as object), ...fields },
      }),
    ).toContain(`'${group}.${Object.keys(fields)[0]}' isn't allowed`);
  });

  it('rejects read-only fields unless they are null', async () => {
    const id = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
    const readOnly = { id, created_at: '2026-01-01T00:00:00Z', status: 'READY' };
    const refused = await fixture.caller.post('/v2/deployments', imageBody('read-only', readOnly));
    expect(refusedFields(refused)).toEqual(['body.id', 'body.created_at', 'body.status']);
    const nulls = { id: null, created_at: null, status: null };
    expect(await createDeployment(fixture.caller, imageBody('read-only', nulls))).toMatchObject({ name: 'read-only' });
  });

  it('rejects repo_commit_sha', async () => {
    const body = await repositoryBody(fixture.caller, 'with-sha', {
      source_revision_config: { repo_commit_sha: '0'.repeat(40) },
    });
    const answer = await fixture.caller.post('/v2/deployments', body);
    expect(refusedFields(answer)).toEqual(['body.source_revision_config.repo_commit_sha']);
  });

  it('accepts a name only once, even at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => fixture.caller.post('/v2/deployments', imageBody('racing'))),
    );
    const outcomes = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(outcomes).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(answers.map(sentenceOf)).toContainEqual(expect.stringMatching(/^'name' is taken: .* already exists\.$/));
  });

  it.each([[''], [' '], ['a\nb'], ['x'.repeat(256)]])('rejects the name %j', async (name) => {
    expect(refusedFields(await fixture.caller.post('/v2/deployments', imageBody(name)))).toEqual(['body.name']);
  });

  it("can't be followed by a change of name or source", async () => {
    const created = await createDeployment(fixture.caller, imageBody('unchangeable'));
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await fixture.caller.send(method, '/v2/deployments', { body: { name: 'other' } })).status).toBe(405);
    }
    const body = { name: 'other', source: 'repohost' };
    const { status, body: after } = await fixture.caller.send('PATCH', `/v2/deployments/${created.id}`, { body });
    expect(status).toBe(200);
    expect(after).toMatchObject({ name: 'unchangeable', source: 'external_docker' });
  });

  it('accepts secret references only for external_docker', async () => {
    const references = [{ name: 'KEY', secret_name: 'keys', secret_key: 'main' }];
    const created = await createDeployment(fixture.caller, imageBody('references', { secret_references: references }));
    expect(created.secret_references).toEqual(references);
    const body = await repositoryBody(fixture.caller, 'no-references', { secret_references: references });
    expect(refusedFields(await fixture.caller.post('/v2/deployments', body))).toEqual(['body.secret_references']);
  });

  it.each([
    [[{ name: '', value: 'v' }], "'secrets[0].name' must not be empty."],
    [
      [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
      "'secrets[1].name' appears more than once.",
    ],
  ])('rejects ambiguous secrets: %o', async (secrets, sentence) => {
    expect(await refusalOf(imageBody('secrets', { secrets }))).toBe(sentence);
  });

  it("can't build a tag on push", async () => {
    const body = await repositoryBody(fixture.caller, 'tag-on-push', {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: 'refs/tags/v1.0.0' },
    });
    expect(await refusalOf(body)).toContain("'source_config.build_on_push' must be false for a tag");
  });

  it.each(['main~1', '@{upstream}', 'a..b', '--all', 'main:graph.json', 'a b', '/main', 'main.lock'])(
    'rejects %j, which git would read as more than a ref',
    async (ref) => {
      const body = await repositoryBody(fixture.caller, 'odd-ref', { source_revision_config: { repo_ref: ref } });
      expect(await refusalOf(body)).toContain("'source_revision_config.repo_ref'");
    },
  );

  it.each(['../graph.json', '/etc/passwd', String.raw`apps\graph.json`, 'C:/graph.json', 'apps/', 'a/../../b'])(
    'rejects the config path %j, which leads out of the repository',
    async (path) => {
      const body = await repositoryBody(fixture.caller, 'odd-path', {
        source_revision_config: { graph_config_path: path },
      });
      expect(await refusalOf(body)).toContain("'source_revision_config.graph_config_path'");
    },
  );
});

describe('a reference in a create request', () => {
  it('must be the integration of this computer', async () => {
    const body = await repositoryBody(fixture.caller, 'other-integration', {
      source_config: { integration_id: 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11' },
    });
    expect(await refusalOf(body)).toContain("'source_config.integration_id'");
  });

  it('must be a registered repository', async () => {
    for (const url of [
      'https://code.example/acme/other',
      'file:///etc',
      '/etc',
      'ext::sh -c true',
      fixture.sample.bare,
    ]) {
      const body = await repositoryBody(fixture.caller, 'other-repository', { source_config: { repo_url: url } });
      expect(await refusalOf(body)).toContain("'source_config.repo_url'");
    }
  });

  it('can spell the URL of the repository differently', async () => {
    const body = await repositoryBody(fixture.caller, 'other-spelling', {
      source_config: { repo_url: 'git@code.example:Acme/sample-agent.git' },
    });
    const created = await createDeployment(fixture.caller, body);
    expect(created.source_revision_config.repo_commit_sha).toMatch(/^[0-9a-f]{40}$/);
  });

  it('must be a listener that exists and a namespace of it', async () => {
    const listener = await createListener(fixture.caller, {
      compute_id: 'cluster-of-deployments',
      compute_config: { k8s_namespaces: ['agents'] },
    });
    const good = imageBody('on-listener', {
      source_config: { listener_id: listener.id.toUpperCase(), listener_config: { k8s_namespace: 'agents' } },
    });
    expect((await createDeployment(fixture.caller, good)).source_config.listener_config).toEqual({
      k8s_namespace: 'agents',
    });
    const bad = [
      { listener_id: 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11' },
      { listener_id: listener.id, listener_config: { k8s_namespace: 'elsewhere' } },
      { listener_config: { k8s_namespace: 'agents' } },
    ];
    for (const source_config of bad) {
      expect(await refusalOf(imageBody('off-listener', { source_config }))).toMatch(
        /^'source_config\.listener_(id|config)/,
      );
    }
  });
});

async function completeBody(source: string): Promise<Record<string, unknown>> {
  if (source === 'repohost') return repositoryBody(fixture.caller, 'complete-repohost');
  return source === 'external_docker' ? imageBody('complete-image') : { name: 'complete', source };
}

/** The reason why a create request is refused. */
async function refusalOf(body: Record<string, unknown>): Promise<string> {
  const answer = await fixture.caller.post('/v2/deployments', body);
  expect(answer.status).toBe(400);
  return sentenceOf(answer);
}
