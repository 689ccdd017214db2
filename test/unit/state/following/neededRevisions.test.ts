import { describe, expect, it } from 'vitest';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import type { RevisionId } from '../../../../src/state/following/polledRevision.ts';
import { neededRevisions, type NeedSources } from '../../../../src/state/following/neededRevisions.ts';

const { name: connection } = localConnection;
const ready: Session = {
  kind: 'ready',
  connection: localConnection,
  client: () => Promise.reject(new Error('Nobody is asked here.')),
};
const idOf = (deploymentId: string, revisionId: string, of: string = connection) => ({
  connection: of,
  deploymentId,
  revisionId,
});

/** The revisions that are needed, in their order, with the reasons. */
function needed(sources: Partial<NeedSources>): readonly string[] {
  const all = neededRevisions({
    session: ready,
    followed: [],
    shown: [],
    listed: [],
    keyOf: (id) => `${id.connection === connection ? '' : `${id.connection} `}${id.deploymentId} ${id.revisionId}`,
    isAwaited: () => true,
    isMoving: () => true,
    ...sources,
  });
  return [...all].map(([key, { why }]) => `${key}: ${[...why].join(', ')}`);
}

const listed = [
  { id: 'd1', name: 'agent', active_revision_id: 'r1', latest_revision_id: 'r2' },
  { id: 'd2', name: 'settled', active_revision_id: 'r1', latest_revision_id: 'r1' },
  { id: 'd3', name: 'new' },
];

describe('the revisions to poll', () => {
  it('are the followed ones, then those in documents, then the list from the top', () => {
    const sources = { followed: [idOf('d9', 'r1')], shown: [idOf('d8', 'r1')], listed };
    expect(needed(sources)).toEqual(['d9 r1: followed', 'd8 r1: document', 'd1 r2: listed', 'd2 r1: listed']);
  });

  it('have each of their reasons', () => {
    const sources = { followed: [idOf('d1', 'r2')], shown: [idOf('d1', 'r2')], listed };
    expect(needed(sources)[0]).toBe('d1 r2: followed, document, listed');
  });

  it('are those of the list that are awaited or move', () => {
    expect(needed({ listed, isAwaited: () => false })).toEqual(['d1 r2: listed']);
    const isLiveAwaited = { isAwaited: ({ revisionId }: RevisionId) => revisionId === 'r1', isMoving: () => false };
    expect(needed({ listed, ...isLiveAwaited })).toEqual(['d1 r1: listed', 'd2 r1: listed']);
  });

  it('are those of a document only while they move on this connection', () => {
    expect(needed({ shown: [idOf('d1', 'r1')], isMoving: () => false })).toEqual([]);
    expect(needed({ shown: [idOf('d1', 'r1', 'Work')] })).toEqual([]);
  });

  it('are only the followed ones without a ready connection, also of other connections', () => {
    const followed = [{ ...idOf('d9', 'r1', 'Work'), deploymentName: 'agent' }];
    expect(needed({ session: { kind: 'none' }, followed, shown: [idOf('d1', 'r1')], listed })).toEqual([
      'Work d9 r1: followed',
    ]);
  });
});
