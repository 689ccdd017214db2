import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { safeText } from '../../../../src/api/redaction/redact.ts';
import { agentConnectionReader, agentConnectionWire } from '../../../../src/api/resources/agentConnections.ts';
import { deploymentReader, deploymentWire } from '../../../../src/api/resources/deployments.ts';
import {
  integrationReader,
  integrationWire,
  repositoryReader,
  repositoryWire,
} from '../../../../src/api/resources/integrations.ts';
import { listenerReader, listenerWire } from '../../../../src/api/resources/listeners.ts';
import { oauthProviderReader, oauthProviderWire } from '../../../../src/api/resources/oauthProviders.ts';
import { revisionReader, revisionWire } from '../../../../src/api/resources/revisions.ts';
import {
  containerWire,
  resourceSpecWire,
  volumeMountWire,
  volumeWire,
} from '../../../../src/api/schema/resourceSpec.ts';
import { arbitraryOf } from '../arbitrary.ts';
import * as samples from '../samples.ts';

interface Resource {
  readonly name: string;
  readonly sample: Record<string, unknown>;
  readonly wire: z.ZodType;
  readonly reader: z.ZodType;
  /** The fields that have a default, with it. */
  readonly defaults?: Record<string, unknown>;
}

const providerDefaults = { token_endpoint_auth_method: 'client_secret_post', is_dynamic_client: false };

const resources: Resource[] = [
  { name: 'Deployment', sample: samples.deployment, wire: deploymentWire, reader: deploymentReader },
  { name: 'Revision', sample: samples.revision, wire: revisionWire, reader: revisionReader },
  { name: 'Listener', sample: samples.listener, wire: listenerWire, reader: listenerReader },
  { name: 'Repository record', sample: samples.repository, wire: repositoryWire, reader: repositoryReader },
  { name: 'Integration record', sample: samples.integration, wire: integrationWire, reader: integrationReader },
  {
    name: 'OAuth provider',
    sample: samples.oauthProvider,
    wire: oauthProviderWire,
    reader: oauthProviderReader,
    defaults: providerDefaults,
  },
  {
    name: 'Agent connection',
    sample: samples.agentConnection,
    wire: agentConnectionWire,
    reader: agentConnectionReader,
  },
];

const needed = new Set(['id', 'name']);

/** Every line of the tables of "Resources and their fields", as `Deployment.name`. */
const fields = resources.flatMap((resource) =>
  Object.keys(resource.sample).map((field) => ({ ...resource, field, title: `${resource.name}.${field}` })),
);

/** Secret values are the one thing of a sample that must not survive. */
const withoutSecretValues = (sample: Record<string, unknown>) =>
  Array.isArray(sample['secrets'])
    ? { ...sample, secrets: sample['secrets'].map(({ name }: { name: string }) => ({ name })) }
    : sample;

describe('a lenient reader', () => {
  it.each(fields)('reads $title', ({ reader, sample, field }) => {
    const read = reader.parse(sample) as Record<string, unknown>;
    expect(read[field]).toEqual(withoutSecretValues(sample)[field]);
  });

  it.each(fields.filter(({ field }) => !needed.has(field)))(
    'treats a null $title as missing, and fills in its default',
    ({ reader, sample, field, defaults = {} }) => {
      const { [field]: _, ...others } = withoutSecretValues(sample);
      const filled = field in defaults ? { ...others, [field]: defaults[field] } : others;
      expect(reader.parse(others)).toEqual(filled);
      expect(reader.parse({ ...sample, [field]: null })).toEqual(filled);
    },
  );

  it.each(fields.filter(({ field }) => needed.has(field)))('needs $title', ({ reader, sample, field }) => {
    expect(reader.safeParse({ ...sample, [field]: undefined }).success).toBe(false);
    expect(reader.safeParse({ ...sample, [field]: null }).success).toBe(false);
  });

  it.each(resources)('ignores unknown fields of a $name', ({ reader, sample }) => {
    expect(reader.parse({ ...sample, added_later: 1 })).toEqual(withoutSecretValues(sample));
  });

  it.each(resources)("rejects a $name that isn't an object", ({ reader }) => {
    for (const value of [null, undefined, 1, 'text', []]) expect(reader.safeParse(value).success).toBe(false);
  });

  it('keeps unknown enum values', () => {
    const config = { ...samples.sourceConfig, deployment_type: 'serverless' };
    const unknown = {
      ...samples.deployment,
      status: 'AWAITING_FINAL_DELETE',
      source: 'new_source',
      source_config: config,
    };
    expect(deploymentReader.parse(unknown)).toMatchObject({
      status: 'AWAITING_FINAL_DELETE',
      source: 'new_source',
      source_config: { deployment_type: 'serverless' },
    });
    expect(revisionReader.parse({ ...samples.revision, status: 'PAUSED' }).status).toBe('PAUSED');
  });

  it('reads identifiers and timestamps as plain text', () => {
    expect(deploymentReader.parse({ id: 'dep_1', name: 'a', created_at: 'yesterday' })).toEqual({
      id: 'dep_1',
      name: 'a',
      created_at: 'yesterday',
    });
  });

  it('drops the values of secrets', () => {
    expect(JSON.stringify(deploymentReader.parse(samples.deployment))).not.toContain('a secret value');
  });

  it('makes the reason of a failure short and safe to show', () => {
    const said = `\u001B[31mnpm ERR!\u001B[0m\r\n\u202Emissing script ${'x'.repeat(1000)}`;
    const { status_message: message } = revisionReader.parse({ id: 'r1', status_message: said });
    expect(message).toMatch(/^npm ERR! missing script x+…$/);
    expect(message).toHaveLength(501);
  });

  it('keeps nulls and unknown members of Kubernetes objects', () => {
    const spec = {
      volumes: [{ name: 'a', emptyDir: { medium: null }, hostPath: { path: '/' } }],
      sidecars: [{ ports: [1] }],
    };
    const deployment = { id: '1', name: 'a', source_config: { resource_spec: spec } };
    expect(deploymentReader.parse(deployment)).toEqual(deployment);
  });
});

describe('the strict schema of a resource', () => {
  it.each(resources)('accepts a complete $name', ({ wire, sample }) => {
    expect(wire.parse(sample)).toEqual(sample);
  });

  it.each(Object.keys(samples.resourceSpec))('has the resource spec field %s', (field) => {
    expect(resourceSpecWire.shape).toHaveProperty(field);
    const { [field]: value } = samples.resourceSpec as Record<string, unknown>;
    expect(resourceSpecWire.parse({ [field]: value })).toEqual({ [field]: value });
  });

  it.each(Object.keys(samples.container))('has the container field %s', (field) => {
    expect(containerWire.shape).toHaveProperty(field);
    expect(containerWire.safeParse({ [field]: 1 }).success).toBe(false);
  });

  it.each(Object.keys(samples.volume))('has the volume field %s', (field) => {
    expect(volumeWire.shape).toHaveProperty(field);
    expect(volumeWire.safeParse({ [field]: 1 }).success).toBe(false);
  });

  it.each(Object.keys(samples.volumeMount))('has the volume mount field %s', (field) => {
    expect(volumeMountWire.shape).toHaveProperty(field);
    expect(volumeMountWire.safeParse({ [field]: 1 }).success).toBe(false);
  });

  it.each(['status', 'source', 'id', 'created_at'])('rejects an unknown %s', (field) => {
    expect(deploymentWire.safeParse({ ...samples.deployment, [field]: 'NEW' }).success).toBe(false);
  });

  it('has the defaults of an OAuth provider', () => {
    const { token_endpoint_auth_method: _, is_dynamic_client: __, ...others } = samples.oauthProvider;
    expect(oauthProviderWire.parse(others)).toMatchObject(providerDefaults);
  });

  const others = new Set(['id', 'name', 'provider_type', 'mcp_server_url', ...Object.keys(providerDefaults)]);
  const required = Object.keys(samples.oauthProvider).filter((field) => !others.has(field));

  it.each(required)('requires %s of an OAuth provider', (field) => {
    expect(oauthProviderWire.safeParse({ ...samples.oauthProvider, [field]: undefined }).success).toBe(false);
  });
});

describe('any resource of the strict schema', () => {
  it.each(resources)('stays the same when it is sent as JSON and read: $name', ({ wire, reader, defaults }) => {
    fc.assert(
      fc.property(arbitraryOf(wire), (value) => {
        expect(wire.safeParse(value).success).toBe(true);
        const read = reader.parse(JSON.parse(JSON.stringify(value)));
        expect(reader.parse(JSON.parse(JSON.stringify(read)))).toEqual(read);
        const shown = present(safeToShow(withoutSecretValues(value as Record<string, unknown>)));
        expect(present(read)).toEqual({ ...defaults, ...shown });
      }),
      { numRuns: 60 },
    );
  });

  /** The reason of a failure is read as it is shown. */
  const safeToShow = ({ status_message: message, ...sample }: Record<string, unknown>) => ({
    ...sample,
    status_message: typeof message === 'string' ? safeText(message) : message,
  });

  /** The members that have a value; the reader may have turned a null into a missing one. */
  const present = (value: unknown): Record<string, unknown> =>
    JSON.parse(JSON.stringify(value, (_name, member: unknown) => member ?? undefined));
});

describe('any JSON at all', () => {
  it('is read or refused without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const { reader } of resources) expect(typeof reader.safeParse(value).success).toBe('boolean');
      }),
    );
  });
});
