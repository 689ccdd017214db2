import { describe, expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { createDeployment, createListener, imageBody, sentenceOf } from './support/requests.ts';

const templateBody = (name: string) => ({ name, source: 'internal_template' });

describe('the mode cloud', () => {
  const fixture = runningService(() => ({ mode: 'cloud' }));

  it('rejects external_docker', async () => {
    const answer = await fixture.caller.post('/v2/deployments', imageBody('image'));
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toBe(
      "'source' isn't available: in the mode cloud, this service accepts only repohost, internal_docker, internal_source, internal_template.",
    );
  });

  it('accepts the other sources', async () => {
    expect(await createDeployment(fixture.caller, templateBody('template'))).toMatchObject({ name: 'template' });
  });
});

describe('the mode self-hosted', () => {
  const fixture = runningService(() => ({ mode: 'self-hosted' }));

  it('accepts only external_docker', async () => {
    expect(await createDeployment(fixture.caller, imageBody('image'))).toMatchObject({ name: 'image' });
    const answer = await fixture.caller.post('/v2/deployments', templateBody('template'));
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain('accepts only external_docker.');
  });

  it('requires a listener once one exists', async () => {
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
