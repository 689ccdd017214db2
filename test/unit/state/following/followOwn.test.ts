import { beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { resting, type Followed } from '../../../../src/state/following/follower.ts';
import { followOwn } from '../../../../src/state/following/followOwn.ts';
import type { DeploymentsChange } from '../../../../src/state/lists/deployments.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const connection = localConnection.name;
const ready: Session = {
  kind: 'ready',
  connection: localConnection,
  client: () => Promise.reject(new Error('Nobody is asked here.')),
};

let session: Session;
let own: Set<string> | undefined;
let main: string | undefined;
let remembered: readonly string[];
let shown: readonly string[];
let isFollowing: boolean;
let records: Map<string, Deployment>;
let revisions: Map<string, Revision>;
let follows: Map<string, Followed>;
let heard: string[];
const changed = new Emitter<DeploymentsChange>();
const switched = new Emitter<Session>();
const marked = new Emitter<void>();
const followed = new Emitter<void>();
const switchedSetting = new Emitter<void>();

function deploy(id: string, revisionId: string, status: string): void {
  records.set(id, { id, name: id, latest_revision_id: revisionId });
  revisions.set(revisionId, { id: revisionId, status });
  changed.fire({ kind: 'list' });
}

function put(id: { deploymentId: string; revisionId: string }, rest: Partial<Followed>): void {
  const base = { connection, phase: 'working', phaseSince: 0, waited: 0, failures: 0, resumed: false } as const;
  follows.set(id.deploymentId, { ...base, ...id, ...rest });
  followed.fire();
}

beforeEach(() => {
  session = ready;
  own = new Set(['mine']);
  main = undefined;
  isFollowing = true;
  records = new Map();
  revisions = new Map();
  follows = new Map();
  heard = [];
  remembered = [];
  shown = [];
  for (const emitter of [changed, switched, marked, followed, switchedSetting]) emitter.dispose();
  followOwn({
    connections: {
      get session() {
        return session;
      },
      onDidChange: switched.event,
    },
    deployments: {
      observe: (id, revisionId) => ({
        revisionId,
        revision: revisions.get(revisionId ?? ''),
        revisionAt: 1,
        deployment: records.get(id),
        deploymentAt: 1,
      }),
      onDidChange: changed.event,
    },
    follower: {
      find: (_, id) => follows.get(id),
      get followed() {
        return [...follows.values()];
      },
      onDidChange: followed.event,
      follow: async ({ deploymentId, revisionId }) => {
        heard.push(`follow ${revisionId}`);
        put({ deploymentId, revisionId }, {});
      },
      present: async (resting) => {
        heard.push(`present ${resting.revisionId}`);
        put(resting, resting);
      },
      stop: async (_, deploymentId) => {
        heard.push(`stop ${deploymentId}`);
        follows.delete(deploymentId);
      },
    },
    workspace: {
      get own() {
        return own;
      },
      get main() {
        return main;
      },
      onDidMark: marked.event,
    },
    ownDeployments: {
      get remembered() {
        return remembered;
      },
    },
    poller: {
      setShown: (revisions) => {
        shown = revisions.map(({ revisionId }) => revisionId);
      },
    },
    clock: new FakeClock(),
    following: { isOn: () => isFollowing, onDidChange: switchedSetting.event },
  });
});

describe("the workspace's own deployment", () => {
  it('is followed when it starts to move, and no other one is', () => {
    deploy('other', 'o1', 'BUILDING');
    expect(heard).toEqual([]);
    deploy('mine', 'm1', 'BUILDING');
    expect(heard).toEqual(['follow m1']);
  });

  it('is shown silently while it rests, and followed from there', () => {
    deploy('mine', 'm1', 'DEPLOYED');
    changed.fire({ kind: 'list' });
    expect(heard).toEqual(['present m1']);
    deploy('mine', 'm2', 'QUEUED');
    expect(heard).toEqual(['present m1', 'follow m2']);
  });

  it('is shown with its newest record and revision while it rests', () => {
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('mine', 'm2', 'BUILD_FAILED');
    expect(heard).toEqual(['present m1', 'present m1', 'present m2']);
    expect(follows.get('mine')).toMatchObject({ revisionId: 'm2', deploymentName: 'mine', phase: 'failed' });
  });

  it('has its active and its latest revision asked for, unless the setting is off', () => {
    records.set('mine', { id: 'mine', name: 'mine', active_revision_id: 'm1', latest_revision_id: 'm2' });
    changed.fire({ kind: 'list' });
    expect(shown).toEqual(['m1', 'm2']);
    isFollowing = false;
    switchedSetting.fire();
    expect(shown).toEqual([]);
  });

  it('stays as the last window showed it until git and the service have answered', () => {
    own = undefined;
    remembered = ['mine'];
    put({ deploymentId: 'mine', revisionId: 'm1' }, resting);
    expect(heard).toEqual([]);
    own = new Set(['mine']);
    marked.fire();
    expect(heard).toEqual([]);
    deploy('mine', 'm1', 'DEPLOYED');
    expect(heard).toEqual(['present m1']);
  });

  it("isn't shown any more once the service no longer has it", () => {
    own = undefined;
    put({ deploymentId: 'mine', revisionId: 'm1' }, resting);
    expect(heard).toEqual(['stop mine']);
  });

  it("stays as it was if the user stopped or dismissed it, until there's a newer revision", () => {
    deploy('mine', 'm1', 'BUILDING');
    follows.clear();
    deploy('mine', 'm1', 'DEPLOYING');
    expect(heard).toEqual(['follow m1']);
    deploy('mine', 'm2', 'QUEUED');
    expect(heard).toEqual(['follow m1', 'follow m2']);
    follows.clear();
    deploy('mine', 'm2', 'DEPLOYED');
    expect(heard).toEqual(['follow m1', 'follow m2']);
  });

  it("isn't shown again after it was dismissed while it rests", () => {
    deploy('mine', 'm1', 'DEPLOYED');
    follows.clear();
    deploy('mine', 'm1', 'DEPLOYED');
    expect(heard).toEqual(['present m1']);
  });

  it('is followed again after a follow that ended, gave up or failed', () => {
    put({ deploymentId: 'mine', revisionId: 'm1' }, { outcome: 'gaveUp' });
    deploy('mine', 'm2', 'QUEUED');
    expect(heard).toEqual(['follow m2']);
  });

  it('leaves a running follow alone', () => {
    put({ deploymentId: 'mine', revisionId: 'm1' }, {});
    deploy('mine', 'm2', 'QUEUED');
    expect(heard).toEqual([]);
  });

  it('is shown with the others while several fit, and whatever moves is followed', () => {
    own?.add('second');
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('second', 's1', 'BUILDING');
    expect(heard).toEqual(['present m1', 'follow s1']);
  });

  it('is shown alone once it is the main one, and the others are still followed when they move', () => {
    own?.add('second');
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('second', 's1', 'DEPLOYED');
    main = 'second';
    marked.fire();
    expect(heard).toEqual(['present m1', 'present s1', 'stop mine']);
    deploy('mine', 'm2', 'QUEUED');
    expect(heard.at(-1)).toBe('follow m2');
  });

  it("isn't shown any more when its repository is closed, the connection changes or the setting is off", () => {
    deploy('mine', 'm1', 'DEPLOYED');
    own = new Set();
    marked.fire();
    expect(heard).toEqual(['present m1', 'stop mine']);
    own = new Set(['mine']);
    isFollowing = false;
    marked.fire();
    isFollowing = true;
    session = { kind: 'none' };
    switched.fire(session);
    marked.fire();
    expect(heard).toHaveLength(2);
    session = ready;
    marked.fire();
    expect(heard).toEqual(['present m1', 'stop mine', 'present m1']);
    isFollowing = false;
    marked.fire();
    expect(heard.at(-1)).toBe('stop mine');
  });
});
