import { beforeEach, describe, expect, it } from 'vitest';
import { localConnection } from '../../../../../src/state/connections/connection.ts';
import type { ReadySession } from '../../../../../src/state/connections/session.ts';
import { folderDeployment, rememberFolder } from '../../../../../src/state/deploying/folder/folderDeployments.ts';
import { InMemoryMemory } from '../../../../support/editorStorage.ts';

const session: ReadySession = { kind: 'ready', connection: localConnection, client: () => Promise.reject(new Error()) };
let memory: InMemoryMemory;

beforeEach(() => {
  memory = new InMemoryMemory();
});

describe('the deployment of a folder', () => {
  it('is the last one that the folder was uploaded to on the connection', async () => {
    await rememberFolder(memory, session, '/a', { deploymentId: 'd1', configPath: 'graph.json' });
    await rememberFolder(memory, session, '/b', { deploymentId: 'd2', configPath: 'graph.json' });
    await rememberFolder(memory, session, '/a', { deploymentId: 'd3', configPath: 'graph.json' });
    expect(folderDeployment(memory, session, '/a')).toMatchObject({ deploymentId: 'd3', configPath: 'graph.json' });
    expect(folderDeployment(memory, session, '/b')?.deploymentId).toBe('d2');
    expect(folderDeployment(memory, session, '/c')).toBeUndefined();
    const elsewhere = {
      ...session,
      connection: { kind: 'service', name: 'Other', baseUrl: 'https://a', flavor: 'langsmith' },
    } as const;
    expect(folderDeployment(memory, elsewhere, '/a')).toBeUndefined();
  });

  it('is forgotten after fifty other folders', async () => {
    for (let count = 0; count <= 50; count += 1) {
      await rememberFolder(memory, session, `/${count}`, { deploymentId: 'd', configPath: 'graph.json' });
    }
    expect(folderDeployment(memory, session, '/0')).toBeUndefined();
    expect(folderDeployment(memory, session, '/1')).toBeDefined();
  });

  it('is not known from anything else in its slot', async () => {
    await memory.update(`folders:${localConnection.name}`, [{ folder: '/a', deploymentId: 1 }, 'text']);
    expect(folderDeployment(memory, session, '/a')).toBeUndefined();
  });
});
