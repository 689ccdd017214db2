import { describe, expect, it } from 'vitest';
import type { GitState } from '../../../../src/core/git/gitState.ts';
import {
  canPull,
  liveActions,
  type DeployedRef,
  type DeployedSituation,
} from '../../../../src/core/draft/liveActions.ts';

const level: GitState = {
  branch: 'main',
  headCommit: 'c1',
  remoteName: 'origin',
  remoteBranchExists: true,
  remoteCommit: 'c1',
  ahead: 0,
  behind: 0,
  uncommittedFiles: 0,
};
const agent: DeployedRef = {
  id: 'd1',
  name: 'support-agent',
  buildsOnPush: true,
  liveCommit: 'c1',
  hasPage: false,
};

function look(
  git: Partial<GitState> | undefined,
  deployed: readonly Partial<DeployedRef>[] = [{}],
  more: Partial<DeployedSituation> = {},
) {
  const { actions, findings } = liveActions({
    ref: { kind: 'branch', name: 'main' },
    deployed: deployed.map((fields) => ({ ...agent, ...fields })),
    git: git === undefined ? undefined : { ...level, ...git },
    ...more,
  });
  return { rows: actions.map(({ label }) => label), says: findings.map(({ message }) => message), actions };
}

const show = 'Show support-agent';
const isLive = 'main is up to date. Show support-agent';
const rebuild = 'Rebuild support-agent: push an empty commit to main';
const deployNew = 'Deploy as a new deployment…';
const off = 'Build on push is off for support-agent, and the service has no rebuild.';

describe('what brings a deployed branch live', () => {
  it.each<[string, Partial<GitState> | undefined, Partial<DeployedRef>, readonly string[], readonly string[]]>([
    ['is a push of one commit', { ahead: 1 }, {}, ['Push 1 commit to main (rebuilds support-agent)', show], []],
    ['is a push of two', { ahead: 2 }, {}, ['Push 2 commits to main (rebuilds support-agent)', show], []],
    [
      'names the tags that git pushes along',
      { ahead: 1, followsTags: true },
      {},
      ['Push 1 commit to main, with annotated tags (rebuilds support-agent)', show],
      [],
    ],
    [
      'is a push of a branch that the remote lost',
      { remoteBranchExists: false, remoteCommit: '' },
      {},
      ['Push the branch main (rebuilds support-agent)', show],
      [],
    ],
    [
      'is a pull first where the remote has another commit',
      { ahead: 2, behind: 1, remoteCommit: 'c9', tracksRemote: true },
      {},
      ['Pull, then push 2 commits to main (rebuilds support-agent)', show],
      ['origin/main has 1 new commit.'],
    ],
    [
      'is no pull of a branch that tracks nothing there',
      { ahead: 1, behind: 2, remoteCommit: 'c9', tracksRemote: false },
      {},
      [show],
      ['origin/main has 2 new commits.'],
    ],
    ['is nothing where it is live', {}, {}, [isLive, rebuild], []],
    ['is a rebuild where another commit is live', { remoteCommit: 'c2' }, {}, [show, rebuild], []],
    ['is a rebuild where nothing is known to be live', {}, { liveCommit: undefined }, [show, rebuild], []],
    [
      'is an empty commit that takes no changed files along',
      { uncommittedFiles: 3 },
      {},
      [isLive, rebuild],
      ['3 uncommitted files will not be deployed.'],
    ],
    [
      'is no empty commit that the remote has no branch for',
      { remoteBranchExists: false, branch: 'other' },
      {},
      [isLive],
      ["main isn't checked out, so it can't be pushed from here."],
    ],
    [
      'is no push of a branch that is not checked out',
      { branch: 'feature' },
      {},
      [isLive, rebuild],
      ["main isn't checked out, so it can't be pushed from here."],
    ],
    [
      'is no push from a detached HEAD',
      { branch: undefined },
      {},
      [isLive, rebuild],
      ["main isn't checked out, so it can't be pushed from here."],
    ],
    ['is not known without a clone', undefined, {}, [show], []],
    [
      'is only a push where the service does not build it',
      { ahead: 1 },
      { buildsOnPush: false },
      ['Push 1 commit to main', show],
      [off],
    ],
    ['is no rebuild where the service does not build on push', {}, { buildsOnPush: false }, [isLive], [off]],
    [
      "is the service's page where it has one",
      { remoteCommit: 'c2' },
      { buildsOnPush: false, hasPage: true },
      [show, 'Open the service page of support-agent'],
      [`${off} Use the service's page.`],
    ],
    [
      'is no empty commit where the service does not say what a push does',
      {},
      { buildsOnPush: undefined },
      [isLive],
      ["The service doesn't say whether a push rebuilds support-agent."],
    ],
  ])('%s', (_what, git, deployed, rows, says) => {
    expect(look(git, [deployed])).toMatchObject({ rows: [...rows, deployNew], says });
  });

  it('pushes the commit that is checked out, and rebuilds the one that the remote has', () => {
    expect(look({ ahead: 1, headCommit: 'c2' }).actions[0]).toMatchObject({ kind: 'push', commit: 'c2' });
    const { actions } = look({ behind: 1, remoteCommit: 'c3' });
    expect(actions.find(({ kind }) => kind === 'rebuild')).toMatchObject({ commit: 'c3' });
  });

  it('pulls first after the remote refused a push, before the next fetch tells why', () => {
    const { actions, says } = look({ ahead: 1, headCommit: 'c2', tracksRemote: true }, [{}], { refusedAsBehind: true });
    expect(actions[0]).toMatchObject({
      kind: 'pullAndPush',
      label: expect.stringMatching(/^Pull, then push 1 commit/),
    });
    expect(says).toEqual(['origin/main has new commits.']);
  });

  it.each(['--mirror', '-f', 'a..b', 'a b', '@', 'x.lock', 'a~1'])('is no push of a ref called %s', (name) => {
    const { actions } = look({ branch: name, ahead: 1 }, [{}], { ref: { kind: 'branch', name } });
    expect(actions.map(({ kind }) => kind)).toEqual(['show', 'deployNew']);
  });

  it('says of a push why the build will fail', () => {
    const problem = 'src/agent.py is missing';
    const { actions } = look({ ahead: 1 }, [{}], { problem });
    expect(actions[0]).toMatchObject({ kind: 'push', problem, label: 'Push 1 commit to main' });
  });

  it('says how old the known state of the remote is, unless that is known to be ahead', () => {
    const remoteAge = { kind: 'fetched', age: '3 hours ago' } as const;
    const saidOf = (git: Partial<GitState>) => look(git, [{}], { remoteAge }).says;
    expect(saidOf({ ahead: 1 })).toEqual(['origin/main was last fetched 3 hours ago.']);
    expect(saidOf({ behind: 1 })).toEqual(['origin/main has 1 new commit.']);
  });

  it('names each deployment that a push rebuilds, and shows each', () => {
    const others = [
      { id: 'd2', name: 'staging' },
      { id: 'd3', name: 'frozen', buildsOnPush: false },
    ] as const;
    const { rows, actions } = look({ ahead: 1 }, [{}, ...others]);
    expect(rows).toEqual([
      'Push 1 commit to main (rebuilds support-agent, staging)',
      show,
      'Show staging',
      'Show frozen',
      deployNew,
    ]);
    expect(actions[0]?.deployments.map(({ id }) => id)).toEqual(['d1', 'd2']);
  });

  it('follows also a deployment of which the service does not say what a push does', () => {
    const { actions } = look({ ahead: 1 }, [{ buildsOnPush: undefined }]);
    expect(actions[0]).toMatchObject({ label: 'Push 1 commit to main', deployments: [{ id: 'd1' }] });
  });

  it('is known of a tag only if it is live', () => {
    const ref = { kind: 'tag', name: 'v1' } as const;
    const { rows, says } = look({ branch: undefined }, [{}], { ref });
    expect(rows).toEqual(['v1 is up to date. Show support-agent', deployNew]);
    expect(says).toEqual([]);
  });
});

describe('a service that can deploy a revision again', () => {
  const again = { title: 'main @ c1', commit: 'c1' };
  const row = 'Deploy support-agent again: main @ c1';

  it('is asked for that instead of an empty commit', () => {
    expect(look({}, [{ again }]).rows).toEqual([isLive, row, deployNew]);
    expect(look({}, [{ again: { title: 'main', commit: undefined } }]).rows).toEqual([
      isLive,
      'Deploy support-agent again: main',
      deployNew,
    ]);
  });

  it('may have missed a push, which an empty commit repeats', () => {
    const missed = [{ again, liveCommit: undefined }];
    expect(look({ remoteCommit: 'c2', headCommit: 'c2' }, missed).rows).toEqual([show, row, rebuild, deployNew]);
  });

  it('needs no push to build', () => {
    const { rows, says } = look({}, [{ again, buildsOnPush: false }]);
    expect(rows).toEqual([isLive, row, deployNew]);
    expect(says).toEqual(['Build on push is off for support-agent.']);
  });

  it('is offered a push first', () => {
    expect(look({ ahead: 1 }, [{ again }]).rows[0]).toBe('Push 1 commit to main (rebuilds support-agent)');
  });
});

describe('Other applications of the branch', () => {
  const names = ['chat', 'search', 'billing', 'shop'];
  const deployed = [{}, ...names.map((name) => ({ id: name, name, isOther: true }))];

  it('are rebuilt as well, and come after a new deployment', () => {
    expect(look({ ahead: 1 }, deployed).rows).toEqual([
      'Push 1 commit to main (rebuilds support-agent, chat, search and 2 more)',
      show,
      deployNew,
      ...names.map((name) => `Show ${name}`),
    ]);
  });
});

describe('A pull alone', () => {
  const behind = { ...level, behind: 2, remoteCommit: 'c9', tracksRemote: true };
  const main = { kind: 'branch', name: 'main' } as const;

  it.each<[boolean, string, GitState | undefined]>([
    [true, 'where only the remote has commits', behind],
    [false, 'where both have the same', { ...behind, behind: 0 }],
    [false, 'where the branch has its own', { ...behind, ahead: 1 }],
    [false, 'where the branch tracks nothing', { ...behind, tracksRemote: false }],
    [false, 'where another branch is checked out', { ...behind, branch: 'other' }],
    [false, 'without a clone', undefined],
  ])('is %s %s', (expected, _where, git) => {
    expect(canPull(main, git)).toBe(expected);
  });

  it('brings nothing to a tag', () => {
    expect(canPull({ kind: 'tag', name: 'main' }, behind)).toBe(false);
  });
});
