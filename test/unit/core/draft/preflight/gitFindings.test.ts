import { describe, expect, test } from 'vitest';
import { parseAppConfig } from '../../../../../src/core/appConfig/appConfig.ts';
import type { DeploymentRef } from '../../../../../src/core/git/deploymentRef.ts';
import { preflight } from '../../../../../src/core/draft/preflight/preflight.ts';
import { finding, type Finding, type PreflightInput } from '../../../../../src/core/draft/findings.ts';
import type { BuildFile, GitState } from '../../../../../src/core/git/gitState.ts';
import { buildPaths, buildProblem } from '../../../../../src/core/draft/preflight/fileFindings.ts';
import { remoteAgeOf } from '../../../../../src/core/draft/preflight/gitFindings.ts';
import { completeDraft } from '../../../../support/deploymentDraft.ts';

const commit = 'abc1234def5678abc1234def5678abc1234def56';
const tag = { kind: 'tag', name: 'v1' } as const;
const branch = { kind: 'branch', name: 'main' } as const;

const onMain: GitState = {
  branch: 'main',
  headCommit: commit,
  remoteName: 'origin',
  remoteCommit: commit,
  remoteBranchExists: true,
  ahead: 0,
  uncommittedFiles: 0,
};

/** The checks of git and of the files, which come first among those of one severity. */
function findingsOf(ref: DeploymentRef, input: Partial<PreflightInput>): readonly Finding[] {
  const draft = completeDraft({ ref, configPath: 'graph.json', buildOnPush: false });
  return preflight({ draft, isNameTaken: false, reservedSecretNames: [], ...input });
}

const findingOf = (ref: DeploymentRef, git: GitState, input: Partial<PreflightInput> = {}) =>
  findingsOf(ref, { git, ...input }).find(({ field }) => field === 'ref');

describe('a tag or a commit', () => {
  const pushTag = " Push the tag if origin doesn't have it.";
  const detached = (change: Partial<GitState> = {}): GitState => ({ ...onMain, branch: undefined, ...change });
  const info = (message: string) => ({ severity: 'info', field: 'ref', message });
  const warning = (message: string) => ({ severity: 'warning', field: 'ref', message });

  test('is said with its commit, and where the working copy is if that is elsewhere', () => {
    expect(findingOf(tag, detached())).toEqual(info(`v1 is at abc1234 in this clone.${pushTag}`));
    expect(findingOf(tag, { ...onMain, headCommit: 'f'.repeat(40) })).toEqual(
      info(`v1 is at abc1234 in this clone; the working copy is on main.${pushTag}`),
    );
    expect(findingOf(tag, detached({ headCommit: 'f'.repeat(40) }))).toEqual(
      info(`v1 is at abc1234 in this clone; the working copy is on no branch (detached HEAD).${pushTag}`),
    );
    expect(findingOf({ kind: 'commit', name: commit }, detached())).toEqual(info('abc1234 will be deployed.'));
  });

  test('leaves uncommitted files behind where it is checked out', () => {
    expect(findingOf(tag, detached({ uncommittedFiles: 2 }))).toEqual(
      warning(`v1 is at abc1234 in this clone; 2 uncommitted files will not be deployed.${pushTag}`),
    );
  });

  test('is doubted where the clone does not have it', () => {
    const unknown = { ...onMain, remoteCommit: undefined };
    expect(findingOf(tag, unknown)).toEqual(warning('This clone has no tag v1. Fetch it, or check the name.'));
    expect(findingOf({ kind: 'commit', name: commit }, unknown)).toEqual(
      warning('This clone has no commit abc1234. Fetch it, or check the ID.'),
    );
  });

  test('is doubted where no branch of the remote has it', () => {
    const git = detached({ remoteBranchExists: false });
    const message = 'As of the last fetch, no branch of origin has abc1234. Push it first.';
    expect(findingOf(tag, git)).toEqual(warning(message));
    expect(findingOf({ kind: 'commit', name: commit }, git, { remoteIsCertain: true })).toEqual(
      finding('error', 'No branch of origin has abc1234. Push it first.', 'ref'),
    );
  });

  test('is taken from this clone by a service that builds from it, if it is a tag', () => {
    const git = detached({ remoteBranchExists: false });
    expect(findingOf(tag, git, { remoteIsCertain: true })).toEqual(info('v1 is at abc1234.'));
  });
});

describe('the subject of a commit', () => {
  const subject = 'Write notes';
  test.each([
    [branch, { subject }, 'origin/main is at abc1234 "Write notes".'],
    [{ kind: 'commit', name: commit }, { subject }, 'abc1234 "Write notes" will be deployed.'],
    [tag, { subject, remoteIsCertain: true }, 'v1 is at abc1234 "Write notes".'],
    [branch, { subject: '' }, 'origin/main is at abc1234.'],
    [branch, { subject: 'x'.repeat(70) }, `origin/main is at abc1234 "${'x'.repeat(60)}…".`],
  ] as const)('is said where %j is deployed with %j', (ref, input, message) => {
    expect(findingOf(ref, onMain, input)).toEqual({ severity: 'info', field: 'ref', message });
  });
});

describe('a branch that was fetched', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');
  const minute = 60_000;

  test.each([
    [undefined, undefined],
    [now - 5 * minute, undefined],
    [now - 6 * minute, '6 minutes ago'],
    [now - 180 * minute, '3 hours ago'],
  ])('at %s was fetched %s', (time, age) => {
    const contact = time === undefined ? undefined : ({ kind: 'fetched', time } as const);
    expect(remoteAgeOf(contact, now)).toEqual(age === undefined ? undefined : { kind: 'fetched', age });
  });

  test('long ago may have moved since', () => {
    expect(findingOf(branch, onMain, { remoteAge: { kind: 'fetched', age: '3 hours ago' } })?.message).toBe(
      'origin/main was at abc1234 when last fetched 3 hours ago.',
    );
    expect(
      findingOf(branch, { ...onMain, ahead: 1 }, { remoteAge: { kind: 'fetched', age: '3 hours ago' } })?.message,
    ).toBe('origin/main was at abc1234 when last fetched 3 hours ago; 1 local commit will not be deployed.');
    expect(findingOf(branch, onMain, { remoteAge: { kind: 'updated', age: '10 minutes ago' } })?.message).toBe(
      'origin/main was at abc1234 when last updated here 10 minutes ago.',
    );
  });
});

describe('a file that the build needs', () => {
  const config: BuildFile = { path: 'graph.json', isIgnored: false, inRemote: 'file' };
  const graph: BuildFile = { path: 'src/agent.py', isIgnored: false, inRemote: 'file' };
  const aboutFiles = (files: PreflightInput['files'] = [], ref: DeploymentRef = branch, more = {}) =>
    findingsOf(ref, { git: onMain, files, ...more })
      .filter(({ field }) => field === 'configPath')
      .map(({ severity, message }) => `${severity}: ${message}`);

  const appWith = (graphs: Record<string, string>) =>
    parseAppConfig(JSON.stringify({ dependencies: ['.'], graphs }), 'graph.json');
  const appConfig = appWith({ agent: './src/agent.py:graph' });

  test('is the config file, each file of its graphs in the repository, and where their modules may be', () => {
    const graphs = { a: './src/agent.py:graph', b: 'module:graph', c: '../other.py:graph' };
    expect(buildPaths('graph.json', appWith(graphs))).toEqual([
      'graph.json',
      'src/agent.py',
      'module.py',
      'module',
      'src/module.py',
      'src/module',
    ]);
    expect(buildPaths('apps/graph.json', parseAppConfig('{', 'apps/graph.json'))).toEqual(['apps/graph.json']);
    expect([...buildPaths('', undefined), ...buildPaths('../graph.json', undefined)]).toEqual([]);
  });

  test('is not mentioned where the remote has it', () => {
    expect(aboutFiles([config, graph])).toEqual([]);
    expect(aboutFiles([{ ...config, isIgnored: true }])).toEqual([]);
    expect(aboutFiles([{ ...config, inRemote: undefined }])).toEqual([]);
  });

  test('is missing as of the last fetch, or for certain', () => {
    const missing = { ...config, inRemote: 'nothing' as const };
    expect(aboutFiles([missing])).toEqual([
      'warning: As of the last fetch, graph.json is not in origin/main. Commit and push it, fetch, or choose another config file.',
    ]);
    const certain = 'error: graph.json is not in origin/main. Commit and push it, or choose another config file.';
    expect(aboutFiles([missing], branch, { remoteIsCertain: true })).toEqual([certain]);
    expect(aboutFiles([missing], { kind: 'commit', name: commit })).toEqual([
      certain.replace('origin/main', 'abc1234'),
    ]);
    expect(aboutFiles([missing], tag)[0]).toContain('graph.json is not in v1.');
  });

  test('is named with the other files of graphs that are missing', () => {
    const names = ['a', 'b', 'c', 'd'];
    const missing = names.map((name) => ({ ...graph, path: `${name}.py`, inRemote: 'nothing' as const }));
    const app = appWith(Object.fromEntries([...names, 'a'].map((name, index) => [`${index}`, `./${name}.py:graph`])));
    expect(aboutFiles(missing.slice(0, 1), branch, { appConfig: app, remoteIsCertain: true })).toEqual([
      'error: Missing from origin/main: a.py. A graph needs it, so commit and push it.',
    ]);
    expect(aboutFiles(missing, branch, { appConfig: app })).toEqual([
      'warning: As of the last fetch, missing from origin/main: a.py, b.py, c.py and 1 more. A graph needs it, so commit and push it.',
    ]);
  });

  test("isn't a folder of that name", () => {
    const folders = [config, graph].map((file) => ({ ...file, inRemote: 'folder' as const }));
    expect(aboutFiles(folders, branch, { appConfig, remoteIsCertain: true })).toEqual([
      'error: graph.json is not in origin/main. Commit and push it, or choose another config file.',
      'error: Missing from origin/main: src/agent.py. A graph needs it, so commit and push it.',
    ]);
    expect(buildProblem('graph.json', appConfig, folders)).toBe('graph.json is missing');
    expect(buildProblem('graph.json', appConfig, folders.slice(1))).toBe('src/agent.py is missing');
  });

  test('is ignored by git, which is why the remote does not have it', () => {
    const ignored = { ...graph, isIgnored: true, inRemote: 'nothing' as const };
    const message =
      "Git ignores src/agent.py, so a push doesn't include it. Remove it from .gitignore, then commit it.";
    expect(aboutFiles([ignored], branch, { appConfig })).toEqual([`warning: ${message}`]);
    const unknown = { ...ignored, inRemote: undefined };
    expect(aboutFiles([unknown], branch, { appConfig, remoteIsCertain: true })).toEqual([`error: ${message}`]);
    expect(aboutFiles([ignored], { kind: 'commit', name: commit }, { appConfig })).toEqual([`warning: ${message}`]);
  });

  test('must be in the repository', () => {
    const app = appWith({ agent: '../agent.py:graph' });
    const message = 'The graph "agent" names a file outside the repository. Correct its path.';
    expect(aboutFiles([config], branch, { appConfig: app })).toEqual([`warning: ${message}`]);
    expect(aboutFiles([config], branch, { appConfig: app, remoteIsCertain: true })).toEqual([`error: ${message}`]);
    expect(buildProblem('graph.json', app, [config])).toBe('the file of agent is outside the repository');
    const long = 'x'.repeat(100_000);
    const several = appWith({ a: '../a.py:g', [long]: '/b.py:g', c: '../c.py:g', d: '../d.py:g' });
    expect(buildProblem('graph.json', several, [config])).toBe(
      `the files of a, ${long.slice(0, 60)}…, c and 1 more are outside the repository`,
    );
  });

  describe('may be a module', () => {
    const app = appWith({ a: 'agent.graph:a', b: 'agent.graph:b' });
    const places = buildPaths('graph.json', app).slice(1);
    const remoteWith = (...found: readonly string[]) => [
      config,
      ...places.map((path): BuildFile => ({
        path,
        isIgnored: path.startsWith('src/'),
        inRemote: !found.includes(path) ? 'nothing' : path.endsWith('.py') ? 'file' : 'folder',
      })),
    ];

    test.each(['agent/graph.py', 'agent/graph', 'src/agent/graph.py', 'src/agent/graph'])('at %s', (place) => {
      expect(aboutFiles(remoteWith(place), branch, { appConfig: app, remoteIsCertain: true })).toEqual([]);
    });

    test('that a package must provide, which is only a warning', () => {
      const message =
        "origin/main doesn't have agent.graph. An installed package or the application's own build must provide it.";
      expect(aboutFiles(remoteWith(), branch, { appConfig: app, remoteIsCertain: true })).toEqual([
        `warning: ${message}`,
      ]);
      expect(aboutFiles(remoteWith(), branch, { appConfig: app })).toEqual([
        `warning: As of the last fetch, ${message}`,
      ]);
    });

    test('of which nothing is known without the commit', () => {
      const unknown = places.map((path) => ({ path, isIgnored: false, inRemote: undefined }));
      expect(aboutFiles([config, ...unknown], branch, { appConfig: app })).toEqual([]);
      expect(aboutFiles(undefined, branch, { appConfig: app })).toEqual([]);
    });
  });

  test('may be built from another one, so git may ignore it', () => {
    const built = { path: 'dist/agent.js', isIgnored: true, inRemote: 'nothing' as const };
    const app = appWith({ agent: './dist/agent.js:graph' });
    expect(aboutFiles([config, built], branch, { appConfig: app, remoteIsCertain: true })).toEqual([
      "warning: origin/main doesn't have dist/agent.js. An installed package or the application's own build must provide it.",
    ]);
  });
});

describe('a branch that other remotes have', () => {
  const about = (git: Partial<GitState>) =>
    findingsOf(branch, { git: { ...onMain, ...git } }).find(({ field }) => field === 'repositoryUrl');

  test('is said to be pushed to one of them, but not to the remote of the deployment', () => {
    const remotes = [{ remote: 'origin' }, { remote: 'upstream', commit, unpushed: 0 }];
    const finding = {
      severity: 'warning',
      field: 'repositoryUrl',
      message: 'main is pushed to upstream, not to origin.',
    };
    expect(about({ remotes, remoteBranchExists: false })).toEqual(finding);
    expect(about({ remotes, ahead: 1 })).toEqual(finding);
  });
});
