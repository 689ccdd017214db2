import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { formatClock } from '../../../../src/core/status/duration.ts';
import type { Observation } from '../../../../src/core/status/verdict.ts';
import { StoppedServiceError } from '../../../../src/state/connections/localService.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import type { Attention } from '../../../../src/state/following/scheduler.ts';
import { doubtOf } from '../../../../src/state/following/doubts.ts';
import { begun } from '../../../support/begunFollow.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const wall = Date.parse('2026-03-04T12:00:00Z');
const looking: Attention = { focused: true, visible: true };
const away: Attention = { focused: false, visible: true };
const checkedAt = `last checked at ${formatClock(wall - 1_000)}`;
const offline = new ApiError({ kind: 'network', message: 'offline', sent: false });
const refused = new ApiError({ kind: 'unauthorized', message: 'no', sent: true });

interface Known {
  readonly secondsAgo?: number;
  readonly failed?: { readonly failures: number; readonly error: unknown };
  readonly listError?: unknown;
  readonly attention?: Attention;
  readonly followed?: Followed;
}

function doubtAbout({ secondsAgo, failed, listError, attention = looking, followed }: Known): string | undefined {
  const observed: Observation = {
    revisionId: 'r1',
    ...(secondsAgo === undefined ? {} : { revisionAt: 600_000 - secondsAgo * 1_000 }),
  };
  return doubtOf(id, {
    deployments: { observe: () => observed, state: { entries: [], hasMore: false, loading: false, error: listError } },
    poller: { failureOf: () => failed },
    scheduler: { attention },
    follower: { find: () => followed },
    clock: { monotonic: () => 600_000, now: () => wall },
  });
}

describe('a status in the list', () => {
  it.each<[string, Known, string | undefined]>([
    ['a recent answer', { secondsAgo: 59 }, undefined],
    ['an old answer', { secondsAgo: 60 }, 'last checked 1 minute ago'],
    ['a failed poll', { secondsAgo: 10, failed: { failures: 1, error: offline } }, 'last checked 10 seconds ago'],
    ['a poll that has just failed', { secondsAgo: 9, failed: { failures: 1, error: offline } }, undefined],
    ['no answer at all', { failed: { failures: 1, error: offline } }, "the service hasn't answered yet"],
    ['a refused key', { secondsAgo: 1, failed: { failures: 1, error: refused } }, 'paused: API key rejected'],
    ['a list whose key is refused', { secondsAgo: 1, listError: refused }, 'paused: API key rejected'],
    ['a list of the stopped service', { secondsAgo: 1, listError: new StoppedServiceError() }, checkedAt],
    [
      'a list of the stopped service, which never answered about it',
      { listError: new StoppedServiceError() },
      "the service hasn't answered yet",
    ],
    ['a last look of the user', { secondsAgo: 1, attention: away }, checkedAt],
    ['the view was hidden', { secondsAgo: 1, attention: { focused: true, visible: false } }, checkedAt],
    ['a last look before the first answer', { attention: away }, undefined],
    ['a last look, if it is followed', { secondsAgo: 1, attention: away, followed: begun }, undefined],
    [
      'a last look, if an earlier revision is followed',
      { secondsAgo: 1, attention: away, followed: { ...begun, revisionId: 'r0' } },
      checkedAt,
    ],
    [
      'a last look, if following ended',
      { secondsAgo: 1, attention: away, followed: { ...begun, outcome: 'gaveUp' } },
      checkedAt,
    ],
    ['a list that could not be loaded', { secondsAgo: 1, listError: offline }, undefined],
  ])('is doubted as it should be after %s', (_, known, doubt) => {
    expect(doubtAbout(known)).toBe(doubt);
  });
});
