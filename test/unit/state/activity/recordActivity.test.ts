import { beforeEach, describe, expect, it } from 'vitest';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observed } from '../../../../src/state/answers/answers.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import { recordActivity } from '../../../../src/state/activity/recordActivity.ts';
import { verdict } from '../../../../src/core/status/verdict.ts';
import { begun } from '../../../support/begunFollow.ts';

const built: Revision = { id: 'r1', status: 'BUILDING', source_revision_config: { repo_commit_sha: '0123456' } };
const queued: Revision = { id: 'r1', status: 'QUEUED', source_revision_config: { repo_ref: 'main' } };
const known: Observed = { revisionId: 'r1', revision: built, deployment: { id: 'd1', name: 'agent' } };

let changed: Emitter<void>;
let ended: Emitter<Followed>;
let followed: Followed[];
let observed: Observed;
let heard: unknown[];
/** Answers a question about a push; each is counted. */
let answer: (isPushed: boolean) => void;
let asked: number;

beforeEach(() => {
  changed = new Emitter();
  ended = new Emitter();
  followed = [];
  observed = known;
  heard = [];
  asked = 0;
  recordActivity({
    follower: {
      get followed() {
        return followed;
      },
      onDidChange: changed.event,
      onDidEnd: ended.event,
    },
    answers: { observe: () => observed },
    activity: {
      begin: async (kind, { revisionId }) => void heard.push([kind, revisionId]),
      end: async ({ revisionId }, ending, start) => {
        await start;
        heard.push(['ended', revisionId, verdict(ending).kind]);
      },
      list: async () => {
        heard.push('listed');
        return { entries: [], changes: [], unreadable: 0 };
      },
    },
    workspaceDrift: {
      wasPushedHere: () => {
        asked += 1;
        return new Promise((resolve) => (answer = resolve));
      },
    },
  });
});

/** Shows what is followed, as each poll does. */
function show(...all: Followed[]): void {
  followed = all;
  changed.fire();
}

/** Lets everything run that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is followed', () => {
  it('is recorded if its commit was pushed from here, which is asked once', async () => {
    show(begun);
    show(begun);
    answer(true);
    await settled();
    show(begun);
    expect(heard).toEqual(['listed', ['pushed', 'r1']]);
    expect(asked).toBe(1);
  });

  it("isn't recorded if it was pushed elsewhere", async () => {
    show(begun);
    answer(false);
    await settled();
    expect(heard).toEqual(['listed']);
  });

  it('is asked about when its commit and its record are known', () => {
    observed = { ...known, revision: queued };
    show(begun);
    observed = { ...known, deployment: undefined };
    show(begun);
    expect(asked).toBe(0);
    observed = known;
    show(begun);
    expect(asked).toBe(1);
  });

  it('needs no usual duration while there is nothing', () => {
    show();
    expect(heard).toEqual([]);
  });

  it('ends in the record after its beginning, even if git answers late', async () => {
    const end: Followed = { ...begun, outcome: 'ended' };
    observed = { ...known, revision: { ...built, status: 'BUILD_FAILED' } };
    ended.fire(end);
    show(end);
    await settled();
    expect(heard).toEqual(['listed']);
    answer(true);
    await settled();
    expect(heard).toEqual(['listed', ['pushed', 'r1'], ['ended', 'r1', 'failed']]);
    expect(asked).toBe(1);
  });
});
