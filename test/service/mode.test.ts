import { describe, expect, test } from 'vitest';
import { runningService } from './support/fixture.ts';
import { createDeployment, createListener, imageBody, sentenceOf } from './support/requests.ts';

const templateBody = (name: string) => ({ name, source: 'internal_template' });

describe('with --mode cloud', () => {
  const fixture = runningService(() => ({ mode: 'cloud' }));

  test('external_docker is not available', async () => {
    const answer = await fixture.caller.post('/v2/deployments', imageBody('image'));
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toBe(
      "'source' isn't available: in the mode cloud, this service accepts only repohost, internal_docker, internal_source, internal_template.",
    );
  });

  test('the other sources are', async () => {
    expect(await createDeployment(fixture.caller, templateBody('template'))).toMatchObject({ name: 'template' });
  });
});

describe('with --mode self-hosted', () => {
  const fixture = runningService(() => ({ mode: 'self-hosted' }));

  test('only external_docker is available', async () => {
    expect(await createDeployment(fixture.caller, imageBody('image'))).toMatchObject({ name: 'image' });
    const answer = await fixture.caller.post('/v2/deployments', templateBody('template'));
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain('accepts only external_docker.');
  });

  test('a listener must be named as soon as there is one', async () => {
    const { id } = await createListener(fixture.caller, { compute_id: 'cluster' });
    const answer = await fixture.caller.post('/v2/deployments', imageBody('no-listener'));
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toBe(
      `'source_config.listener_id' is required for workspace with available listener IDs: [${id}]`,
    );
    const body = imageBody('on-listener', { source_config: { listener_id: id } });
    expect(await createDeployment(fixture.caller, body)).toMatchObject({ name: 'on-listener' });
  });
});
