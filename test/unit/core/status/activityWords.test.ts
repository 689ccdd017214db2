import { describe, expect, it } from 'vitest';
import {
  activityText,
  type ActivityEnd,
  type ActivityEntry,
  type ActivityList,
} from '../../../../src/core/status/activityWords.ts';
import { formatMoment } from '../../../../src/core/status/duration.ts';

const at = Date.parse('2026-03-04T12:00:00Z');
const moment = formatMoment(new Date(at).toISOString()).replaceAll(/\s/g, ' ');

const end = (fields: Partial<ActivityEnd> = {}): ActivityEnd => ({
  deploymentId: 'd1',
  revisionId: 'r1',
  at,
  outcome: 'ended',
  verdict: 'live',
  status: 'DEPLOYED',
  title: 'main @ 0123456',
  milliseconds: 363_000,
  link: 'https://agent.example',
  ...fields,
});
const entry = (fields: Partial<ActivityEntry> = {}): ActivityEntry => ({
  kind: 'created',
  at,
  connection: 'Work',
  deploymentId: 'd1',
  revisionId: 'r1',
  name: 'agent',
  title: 'main',
  end: undefined,
  ...fields,
});
const textOf = (entries: readonly ActivityEntry[], fields: Partial<ActivityList> = {}, isFollowed = false) =>
  activityText({ entries, changes: [], unreadable: 0, ...fields }, () => isFollowed);
const heading = 'Deployments and other changes from this machine, newest first\n\n';

describe('the activity of a machine', () => {
  it('says why it cannot be read, and not that there is none', () => {
    expect(textOf([], { problem: "/storage/activity.jsonl isn't a file. Remove it." })).toBe(
      `${heading}The stored activity couldn't be read. /storage/activity.jsonl isn't a file. Remove it.\n`,
    );
  });

  it('says what was deployed, where, from which commit, how it ended, how long it took, and a link', () => {
    expect(textOf([entry({ end: end() }), entry({ kind: 'pushed', name: 'other', title: undefined })])).toBe(
      `${heading}agent on Work: Deployed, live
  main @ 0123456 · created ${moment} · took 6 m 3 s
  https://agent.example

other on Work: not followed to its end
  pushed ${moment}
`,
    );
  });

  it.each<[string, ActivityEnd | undefined, boolean]>([
    ['in progress', undefined, true],
    ['not followed to its end', undefined, false],
    ['no longer exists', end({ outcome: 'gone' }), false],
    ['no answer when following stopped', end({ outcome: 'gaveUp', status: undefined }), false],
    ['still Building when following stopped', end({ outcome: 'gaveUp', status: 'BUILDING' }), false],
    ['Build failed', end({ verdict: 'failed', status: 'BUILD_FAILED' }), false],
    ['Deployed', end({ verdict: 'deployed' }), false],
    ['Deployed, not active', end({ verdict: 'notActive' }), false],
    ['Deployed, not active', end({ verdict: 'replaced' }), false],
  ])('says "%s"', (words, ended, isFollowed) => {
    expect(textOf([entry({ end: ended })], {}, isFollowed).split('\n')[2]).toBe(`agent on Work: ${words}`);
  });

  it('says what was deployed again, rolled back, stopped and deleted, the newest first', () => {
    const later = formatMoment(at + 60_000).replaceAll(/\s/g, ' ');
    const entries = [entry({ kind: 'redeployed' }), entry({ kind: 'rolledBack', name: 'other', at: at - 60_000 })];
    const changes = [
      { kind: 'stopped', at, connection: 'Work', name: 'agent', title: 'main @ 0123456' },
      { kind: 'deleted', at: at + 60_000, connection: 'Work', name: 'agent', title: undefined },
    ] as const;
    expect(textOf(entries, { changes }).split('\n\n').slice(1)).toEqual([
      `agent on Work: deleted\n  ${later}`,
      `agent on Work: not followed to its end\n  main · deployed again ${moment}`,
      `agent on Work: build stopped\n  main @ 0123456 · ${moment}`,
      expect.stringContaining('main · rolled back '),
    ]);
  });

  it.each([
    ['listenerCreated', 'listener created'],
    ['listenerChanged', 'listener changed'],
    ['listenerDeleted', 'listener deleted'],
    ['providerChanged', 'OAuth provider changed'],
  ] as const)('says that something else was changed: %s', (kind, words) => {
    const changes = [{ kind, at, connection: 'Work', name: 'cluster-1', title: undefined }];
    expect(textOf([], { changes })).toBe(`${heading}cluster-1 on Work: ${words}\n  ${moment}\n`);
  });

  it('says that nothing was deployed yet, and how much could not be read', () => {
    expect(textOf([], { unreadable: 2 })).toBe(
      `${heading}Nothing has been deployed from this machine yet.\n\nUnreadable lines in the stored activity: 2\n`,
    );
  });

  it('shows no link but one to the web, and no control characters', () => {
    const text = textOf([
      entry({ name: 'a\u202Eb\n', end: end({ link: 'command:workbench.action.quit', title: '\u001B[31m' }) }),
    ]);
    expect(text).not.toMatch(/command:|[^\P{Cc}\n]|\p{Cf}/u);
  });
});
