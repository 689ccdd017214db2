import { describe, expect, it } from 'vitest';
import type { AnswersChange } from '../../../src/state/answers/answers.ts';
import { localConnection } from '../../../src/state/connections/connection.ts';
import type { Rename } from '../../../src/state/connections/connectionMemory.ts';
import type { Session } from '../../../src/state/connections/session.ts';
import { Emitter } from '../../../src/state/emitter.ts';
import { listStoredSecrets, storeSecret, type StoredSecret } from '../../../src/state/deploying/storedSecrets.ts';
import { connectStores, tellFolders } from '../../../src/state/wiring.ts';
import { begun } from '../../support/begunFollow.ts';
import { InMemorySecrets } from '../../support/editorStorage.ts';
import { readySession } from '../../support/testConnections.ts';

const ready = readySession(localConnection);

function storedOn(connection: string): StoredSecret {
  return {
    place: { connection, baseUrl: '', source: 'repohost', application: 'code.example/acme/agent', configPath: '' },
    name: 'TOKEN',
  };
}

describe('a follow', () => {
  it('continues after news from the service, the connections and the local service, and a rename, which moves secrets', async () => {
    const heard: unknown[] = [];
    const secrets = new InMemorySecrets();
    await storeSecret(secrets, storedOn('Work'), 'value');
    const answered = new Emitter<AnswersChange>();
    const renamed = new Emitter<Rename>();
    const read = new Emitter<void>();
    const stopped = new Emitter<void>();
    let isLoaded = false;
    const connections: Parameters<typeof connectStores>[0]['connections'] & { session: Session } = {
      session: ready,
      find: () => undefined,
      isNameTaken: (name) => name !== 'Removed',
      onDidRead: read.event,
      onDidRename: renamed.event,
    };
    const rules = connectStores({
      connections,
      localService: { onDidChange: stopped.event },
      answers: { onDidChange: answered.event },
      deployments: {
        get state() {
          return { entries: [], hasMore: false, loading: isLoaded };
        },
        refresh: async () => void heard.push('refreshed'),
      },
      follower: {
        followNewer: async (connection, deploymentId) => void heard.push([connection, deploymentId]),
        rename: async (from, to) => void heard.push([from, to]),
        followed: [
          { ...begun, outcome: 'ended' },
          { ...begun, connection: 'Removed' },
          { ...begun, connection: 'Removed', outcome: 'ended' },
        ],
        forget: async (connection) => void heard.push(['forgotten', connection]),
      },
      poller: {
        retry: () => void heard.push('retried'),
        askAgain: (connection) => void heard.push(['asked again', connection]),
      },
      pushedBuilds: { rename: ({ from, to }) => void heard.push(['waits', from, to]) },
      ownDeployments: { retry: () => void heard.push('own retried') },
      secrets,
    });
    answered.fire({ connection: 'Work', deploymentIds: new Set(['d1', 'd2']) });
    renamed.fire({ from: 'Work', to: 'Office' });
    await expect.poll(() => listStoredSecrets(secrets)).toEqual([storedOn('Office')]);
    read.fire();
    // A list that nobody looked at stays unasked.
    stopped.fire();
    isLoaded = true;
    stopped.fire();
    connections.session = { kind: 'none' };
    stopped.fire();
    rules.dispose();
    answered.fire({ connection: 'Work', deploymentIds: new Set(['d1']) });
    renamed.fire({ from: 'Office', to: 'Work' });
    read.fire();
    const again = ['asked again', localConnection.name];
    expect(heard).toEqual([
      ['Work', 'd1'],
      ['Work', 'd2'],
      ['waits', 'Work', 'Office'],
      ['Work', 'Office'],
      'retried',
      'own retried',
      ['forgotten', 'Removed'],
      again,
      'own retried',
      again,
      'own retried',
      'refreshed',
      again,
      'own retried',
    ]);
  });
});

describe('the list of open folders', () => {
  const told = async (session: Session, isTrusted: boolean): Promise<readonly unknown[]> => {
    const heard: unknown[] = [];
    await tellFolders(
      {
        connections: { session },
        localService: {
          tellFolders: async () => void heard.push('told'),
        },
        repositories: { refreshLoaded: async () => void heard.push('refreshed') },
      },
      isTrusted,
    );
    return heard;
  };

  it('is sent to a local service in use before its repositories are reloaded', async () => {
    expect(await told(ready, true)).toEqual(['told', 'refreshed']);
  });

  it('is sent to a local service of other windows only in Restricted Mode', async () => {
    expect(await told({ kind: 'none' }, true)).toEqual([]);
    expect(await told({ kind: 'none' }, false)).toEqual(['told', 'refreshed']);
  });
});
