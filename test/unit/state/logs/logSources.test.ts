import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { LogPlace } from '../../../../src/api/resources/logs.ts';
import type { LogSubject } from '../../../../src/core/logs/logSubject.ts';
import { Capabilities } from '../../../../src/state/connections/capabilities.ts';
import { parseConnection } from '../../../../src/state/connections/connection.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { askForLog, knownSecrets, logEndedAt, logStatus } from '../../../../src/state/logs/logSources.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const clock = new FakeClock();
const subject: LogSubject = {
  connection: 'Work',
  type: 'build',
  deploymentId: 'd1',
  revisionId: 'r1',
  filter: {},
  title: 'agent',
};

/** What a window knows of a revision, and of the live one. */
function answersWith(status: string | undefined, active = 'r1') {
  const { answers } = testAnswers({ clock, workspaceMemory: new InMemoryMemory() });
  const at = clock.monotonic();
  const revision = status === undefined ? undefined : { id: 'r1', status };
  const record = { id: 'd1', name: 'agent', active_revision_id: active };
  answers.put({ connection: 'Work', deploymentId: 'd1', record, revision, askedAt: at, receivedAt: at });
  return answers;
}

const endOf = (type: LogSubject['type'], answers: ReturnType<typeof answersWith>) =>
  logEndedAt({ ...subject, type }, answers, clock);

describe('the end of a log', () => {
  it('comes for a build when its revision no longer moves', () => {
    expect(endOf('build', answersWith(undefined))).toBeUndefined();
    expect(endOf('build', answersWith('BUILDING'))).toBeUndefined();
    expect(endOf('build', answersWith('BUILD_FAILED'))).toBe(clock.monotonic());
    // It may go on.
    expect(endOf('build', answersWith('INTERRUPTED'))).toBeUndefined();
    expect(logStatus(subject, answersWith('BUILD_FAILED'))).toBe('Build failed');
  });

  it('comes for a revision when another one is live, and never for an application', () => {
    expect(endOf('deploy', answersWith('DEPLOYED'))).toBeUndefined();
    expect(endOf('deploy', answersWith('DEPLOYED', 'r2'))).toBe(clock.monotonic());
    expect(endOf('application', answersWith('DEPLOYED', 'r2'))).toBeUndefined();
  });
});

describe('a request', () => {
  it("asks the log's connection, for an application with the revision that is live now", async () => {
    const asked: LogPlace[] = [];
    const read: Client['logs']['read'] = async (place) => {
      asked.push(place);
      return { entries: [], nextOffset: undefined };
    };
    const connection = parseConnection({ name: 'Work', baseUrl: 'https://service.example', flavor: 'langsmith' });
    if (connection.kind !== 'service') throw new Error('It is none.');
    const client = { logs: { read } } as Client;
    const sources = {
      connections: { find: () => connection, clientNamed: async () => client },
      capabilities: new Capabilities({
        onDidReplace: new Emitter<string>().event,
        onDidRename: new Emitter<never>().event,
      }),
      answers: answersWith('DEPLOYED', 'r2'),
    };
    const { signal } = new AbortController();
    await askForLog({ ...subject, type: 'application' }, { limit: 1 }, sources, signal);
    await askForLog(subject, { limit: 1 }, sources, signal);
    expect(asked.map(({ type, revisionId }) => [type, revisionId])).toEqual([
      ['application', 'r2'],
      ['build', 'r1'],
    ]);
  });
});

describe('known secrets', () => {
  const store = (values: Record<string, string>) => ({
    keys: async () => Object.keys(values),
    get: async (key: string) => values[key],
  });

  it('are all values that this machine stores, and the password of a proxy alone', async () => {
    expect(await knownSecrets(store({ 'apiKey:a': 'the:key', 'proxyPassword:b': 'me:word' }))).toEqual([
      'the:key',
      'me:word',
      'word',
    ]);
  });

  it('leave out what would make a log unreadable', async () => {
    expect(await knownSecrets(store({ a: 'true', b: 'INFO', c: '', d: '80', e: '8080' }))).toEqual(['8080']);
  });

  it('are an error if the keyring is not responding, because nothing could be hidden', async () => {
    const locked = { keys: async () => Promise.reject(new Error('locked')), get: async () => '' };
    await expect(knownSecrets(locked)).rejects.toThrow("the keyring of this machine isn't responding");
  });
});
