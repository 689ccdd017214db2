import { beforeEach, describe, expect } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { Capability } from '../../../../src/api/flavor.ts';
import { Capabilities } from '../../../../src/state/connections/capabilities.ts';
import { useCapability, type CallSubject } from '../../../../src/state/connections/useCapability.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Rename } from '../../../../src/state/connections/connectionMemory.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json, resetBeforeHeaders } from '../../../support/faults.ts';
import { readySession, work } from '../../../support/testConnections.ts';
import { it } from '../../api/clientTest.ts';
import * as samples from '../../api/samples.ts';

const connection = { ...work, flavor: 'langsmith' } as const;
const { id: deploymentId } = samples.deployment;
const { id: revisionId } = samples.revision;
const { id: listenerId } = samples.listener;
const subject: CallSubject = { deploymentId, revisionId };
const page = (...resources: object[]): Fault => json({ resources, offset: resources.length });
const missing = json({ detail: 'Not Found' }, 404);
const readLog = async (client: Client): Promise<unknown> =>
  client.logs.read({ type: 'build', deploymentId, revisionId }, {});

let replaced: Emitter<string>;
let renamed: Emitter<Rename>;
let capabilities: Capabilities;
let changes: number;

beforeEach(() => {
  [replaced, renamed, changes] = [new Emitter<string>(), new Emitter<Rename>(), 0];
  capabilities = new Capabilities({ onDidReplace: replaced.event, onDidRename: renamed.event });
  capabilities.onDidChange(() => (changes += 1));
});

/** Answers by path: first that of the longest text that the path has. */
function answers(faults: Record<string, Fault>): Fault {
  return (response, request) => {
    const found = Object.keys(faults).find((text) => request.url?.includes(text) === true);
    (faults[found ?? ''] ?? missing)(response, request);
  };
}

const existing = {
  [`/revisions/${revisionId}/`]: missing,
  '/v1/': missing,
  [`/revisions/${revisionId}`]: json(samples.revision),
  'deployment_ids=': page(samples.deployment),
};

it('are those of the flavor', () => {
  expect(capabilities.of(work)).toEqual([]);
  expect(capabilities.of(connection)).toHaveLength(8);
  expect(capabilities.of(localConnection)).toEqual(capabilities.of(connection));
});

describe('a call', () => {
  it('gives what the service answers', async ({ server, client }) => {
    server.answer(json({ logs: [] }));
    expect(await useCapability(capabilities, readySession(connection, client), 'logs', subject, readLog)).toMatchObject(
      {
        entries: [],
      },
    );
  });

  it("isn't made where the flavor has none, and says what to do instead", async ({ server, client }) => {
    const call = useCapability(capabilities, readySession(work, client), 'logs', subject, readLog);
    expect(await failureOf(call)).toMatchObject({
      kind: 'notFound',
      sent: false,
      message: '"Work" has no logs. The reason for a failure is in the details of its revision.',
    });
    expect(server.seen).toEqual([]);
  });

  it.each([404, 405])('that is answered with %i though its subject exists turns the capability off', async (status) => {
    const { client, server, close } = await clientOf({ ...existing, '/v1/': json({}, status) });
    const session = readySession(connection, client);
    const { message } = await failureOf(useCapability(capabilities, session, 'logs', subject, readLog));
    expect(message).toBe('"Work" has no logs. The reason for a failure is in the details of its revision.');
    expect(capabilities.has(connection, 'logs')).toBe(false);
    expect(capabilities.of(connection)).toHaveLength(7);
    expect(changes).toBe(1);
    const asked = server.seen.length;
    expect(await failureOf(useCapability(capabilities, session, 'logs', subject, readLog))).toMatchObject({
      sent: false,
    });
    expect(server.seen).toHaveLength(asked);
    await close();
  });

  it.each<[string, Record<string, Fault>]>([
    ['the deployment is gone', { ...existing, 'deployment_ids=': page() }],
    ['the revision is gone', { ...existing, [`/revisions/${revisionId}`]: missing }],
    ["nobody knows whether it's there", { ...existing, 'deployment_ids=': json({}, 403) }],
    ['the deployment is unreadable', { ...existing, 'deployment_ids=': page({ id: deploymentId, name: 7 }) }],
  ])('leaves the capability on if %s', async (_, faults) => {
    const { client, close } = await clientOf(faults);
    const call = useCapability(capabilities, readySession(connection, client), 'logs', subject, readLog);
    expect(await failureOf(call)).toMatchObject({ kind: 'notFound', sent: true });
    expect(capabilities.has(connection, 'logs')).toBe(true);
    expect(changes).toBe(0);
    await close();
  });

  it.each<[string, CallSubject | undefined, Record<string, Fault>, boolean]>([
    ['a deployment alone', { deploymentId }, { 'deployment_ids=': page(samples.deployment) }, false],
    ['a listener', { listenerId }, { 'listeners?': page(samples.listener) }, false],
    ['a listener that is gone', { listenerId }, { 'listeners?': page() }, true],
    ['nothing', undefined, {}, false],
  ])('about %s is judged by it', async (_, about, faults, staysOn) => {
    const { client, close } = await clientOf(faults);
    const remove = async (): Promise<unknown> => client.listeners.remove(listenerId);
    await failureOf(useCapability(capabilities, readySession(connection, client), 'listenerEdit', about, remove));
    expect(capabilities.has(connection, 'listenerEdit')).toBe(staysOn);
    await close();
  });

  it.each<[Capability, number, string | undefined]>([
    ['logs', 403, "Your organization's plan may not include it."],
    ['upload', 403, 'Self-hosted services may not take uploads. The cloud does.'],
    ['upload', 400, 'Self-hosted services may not take uploads. The cloud does.'],
    ['logs', 400, undefined],
    ['logs', 409, undefined],
  ])('for %s that is refused with %i says why: %s', async (capability, status, words) => {
    const { client, close } = await clientOf({ '': json({ detail: 'Refused here.' }, status) });
    const { message } = await failureOf(
      useCapability(capabilities, readySession(connection, client), capability, subject, readLog),
    );
    expect(message).toContain('Refused here.');
    if (words === undefined) expect(message).not.toMatch(/plan|cloud/);
    else expect(message).toContain(words);
    expect(capabilities.has(connection, capability)).toBe(true);
    await close();
  });

  it('that breaks off changes nothing', async ({ server, client }) => {
    server.answer(resetBeforeHeaders);
    const remove = async (): Promise<unknown> => client.listeners.remove(listenerId);
    const call = useCapability(capabilities, readySession(connection, client), 'listenerEdit', { listenerId }, remove);
    expect(await failureOf(call)).toMatchObject({ kind: 'network' });
    expect(server.count('DELETE')).toBe(1);
    expect(capabilities.has(connection, 'listenerEdit')).toBe(true);
  });

  it("passes on what isn't an answer", async ({ client }) => {
    const call = useCapability(capabilities, readySession(connection, client), 'logs', subject, () => {
      throw new RangeError('Ours.');
    });
    await expect(call).rejects.toThrow(RangeError);
  });
});

describe('a capability that is off', () => {
  const other = { ...connection, name: 'Home' };

  beforeEach(async () => {
    const { client, close } = await clientOf(existing);
    await failureOf(useCapability(capabilities, readySession(connection, client), 'logs', subject, readLog));
    await close();
    expect(capabilities.has(connection, 'logs')).toBe(false);
  });

  it('is on for other connections', () => {
    expect(capabilities.has(other, 'logs')).toBe(true);
  });

  it('is tried again after the connection was changed', () => {
    replaced.fire('Home');
    expect(capabilities.has(connection, 'logs')).toBe(false);
    replaced.fire('Work');
    expect(capabilities.has(connection, 'logs')).toBe(true);
  });

  it('is forgotten with the name', () => {
    renamed.fire({ from: 'Work', to: 'Home' });
    expect(capabilities.has(other, 'logs')).toBe(true);
    expect(capabilities.has(connection, 'logs')).toBe(true);
  });

  it('stays as it is after the end', () => {
    capabilities.dispose();
    replaced.fire('Work');
    expect(capabilities.has(connection, 'logs')).toBe(false);
  });
});

/** A client of a service that answers by path. */
async function clientOf(faults: Record<string, Fault>) {
  const server = await startFaultServer();
  server.answer(answers(faults));
  const client = testClient({ baseUrl: server.url });
  const close = async (): Promise<void> => {
    await client.close();
    await server[Symbol.asyncDispose]();
  };
  return { client, server, close };
}
