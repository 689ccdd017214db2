import type { FlavorName } from '../../../../../src/api/flavor.ts';
import type { ResourceSpec } from '../../../../../src/api/schema/resourceSpec.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAppConfig } from '../../../../../src/core/appConfig/appConfig.ts';
import type { RepositoryDraft } from '../../../../../src/core/draft/draft.ts';
import { preflight } from '../../../../../src/core/draft/preflight/preflight.ts';
import { finding, type Finding, type PreflightInput } from '../../../../../src/core/draft/findings.ts';
import type { GitState } from '../../../../../src/core/git/gitState.ts';
import { completeDraft } from '../../../../support/deploymentDraft.ts';

const draft = completeDraft({ deploymentType: 'prod', buildOnPush: false });

const clean: GitState = {
  branch: 'main',
  remoteName: 'origin',
  remoteCommit: 'abc1234def5678abc1234def5678abc1234def56',
  remoteBranchExists: true,
  ahead: 0,
  uncommittedFiles: 0,
};

function look(change: Partial<RepositoryDraft> = {}, more: Partial<PreflightInput> = {}): Finding[] {
  return preflight({ draft: { ...draft, ...change }, isNameTaken: false, reservedSecretNames: ['PATH'], ...more });
}

function messages(findings: Finding[], severity?: Finding['severity']): string[] {
  return findings
    .filter((finding) => severity === undefined || finding.severity === severity)
    .map(({ message }) => message);
}

function config(content: object) {
  return parseAppConfig(JSON.stringify({ dependencies: ['.'], graphs: { a: './a.py:g' }, ...content }), 'graph.json');
}

test('a draft without doubts only says what creating it does', () => {
  expect(look({}, { git: clean })).toEqual([
    { severity: 'info', field: 'ref', message: 'origin/main is at abc1234.' },
    finding('info', "Creates a tracing project with this name. Name and source can't change later.", 'name'),
  ]);
});

describe('what will be deployed', () => {
  test.each([
    [2, 3, '2 local commits and 3 uncommitted files'],
    [1, 1, '1 local commit and 1 uncommitted file'],
    [1, 0, '1 local commit'],
    [2, 0, '2 local commits'],
    [1000, 0, '1000 or more local commits'],
    [0, 1, '1 uncommitted file'],
    [0, 7, '7 uncommitted files'],
  ])('is told from what stays behind: %i commits, %i files', (ahead, uncommittedFiles, words) => {
    expect(messages(look({}, { git: { ...clean, ahead, uncommittedFiles } }), 'warning')).toEqual([
      `origin/main is at abc1234; ${words} will not be deployed.`,
    ]);
  });

  test('is nothing when the remote does not have the branch', () => {
    expect(look({}, { git: { ...clean, remoteBranchExists: false }, remoteIsCertain: true })[0]).toEqual(
      finding('error', 'origin has no branch main. Push it first, or fetch if someone else has pushed it.', 'ref'),
    );
  });

  test('is not said before a branch is chosen', () => {
    const findings = look({ ref: { kind: 'branch', name: '' } }, { git: clean });
    expect(messages(findings).join(' ')).not.toContain('origin');
  });

  test('is only doubted where the service may have heard more of the remote than the clone', () => {
    const noBranch = look({}, { git: { ...clean, remoteBranchExists: false } });
    expect(messages(noBranch, 'error')).toEqual([]);
    expect(messages(noBranch, 'warning')).toEqual([
      'As of the last fetch, origin has no branch main. Push it first, or fetch if someone else has pushed it.',
    ]);
  });

  test('is more than what is here when the remote has moved on', () => {
    expect(look({}, { git: { ...clean, behind: 1 } })[0]).toEqual(
      finding('info', 'origin/main is at abc1234, 1 commit ahead of the working copy.', 'ref'),
    );
    expect(messages(look({}, { git: { ...clean, behind: 4 } }))[0]).toBe(
      'origin/main is at abc1234, 4 commits ahead of the working copy.',
    );
    expect(messages(look({}, { git: { ...clean, behind: 4, ahead: 1 } }), 'warning')).toEqual([
      'origin/main is at abc1234; 1 local commit will not be deployed.',
    ]);
  });

  test('is another branch than the one that is checked out', () => {
    const git = { ...clean, branch: 'feature', ahead: 4, uncommittedFiles: 2 };
    expect(look({}, { git })[0]).toEqual(
      finding('info', 'origin/main is at abc1234; the working copy is on feature.', 'ref'),
    );
  });

  test('is said for a detached HEAD', () => {
    const detached = { ...clean, branch: undefined };
    expect(messages(look({}, { git: detached }), 'warning')).toEqual([
      'origin/main is at abc1234; no branch is checked out here (detached HEAD).',
    ]);
  });
});

describe('the name', () => {
  test('must be free', () => {
    expect(look({ name: ' taken ' }, { isNameTaken: true })[0]).toEqual(
      finding('error', '"taken" is taken on Work; choose another name.', 'name'),
    );
  });

  test('is shown with the deployment that has it', () => {
    const existing = [
      { id: 'd1', name: 'other' },
      { id: 'd2', name: 'taken' },
    ];
    expect(look({ name: ' taken ' }, { isNameTaken: true, wasSent: true })[0]?.message).toContain('may have made it');
    expect(look({ name: ' taken ' }, { isNameTaken: true, existing })[0]).toMatchObject({
      field: 'name',
      deployment: { id: 'd2', name: 'taken' },
    });
  });
});

describe('the source', () => {
  test.each([
    [{ repositoryUrl: '', integrationId: '' }, 'repositoryUrl', 'Choose the repository to deploy.'],
    [
      { integrationId: '' },
      'integrationId',
      'Choose the integration that has access to https://code.example/acme/agent.',
    ],
    [{ integrationId: '', integrationProblem: 'No integration has it.' }, 'integrationId', 'No integration has it.'],
    [{ ref: { kind: 'branch', name: '' } as const }, 'ref', 'Choose the branch or tag to deploy.'],
  ])('lacks something with %j', (change, field, message) => {
    const errors = look(change, { git: clean }).filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([{ severity: 'error', field, message }]);
  });

  test('has a config path in a folder without a doubt', () => {
    expect(messages(look({ configPath: 'apps/a..b/graph.json' }), 'warning')).toEqual([]);
  });

  test('is not built on push when it does not move', () => {
    const message = 'Build on push stays off: it works only with branches.';
    expect(look({ buildOnPush: true, ref: { kind: 'tag', name: 'v1' } })).toContainEqual(
      finding('info', message, 'buildOnPush'),
    );
    expect(messages(look({ buildOnPush: true }))).not.toContain(message);
  });

  test('is doubtful with a config file that has warnings', () => {
    const found = messages(look({}, { appConfig: config({ pyton_version: '3.13' }), git: clean }), 'warning');
    expect(found).toEqual([
      'graph.json, line 1: "pyton_version" isn\'t a known key here; did you mean "python_version"?',
    ]);
  });

  test('has a config that does not parse: an error where the remote has the same', () => {
    const appConfig = parseAppConfig('{', 'graph.json');
    expect(look({}, { appConfig, git: clean })[0]).toMatchObject({ severity: 'error', field: 'configPath' });
  });

  test.each<[string, Partial<PreflightInput>, Partial<RepositoryDraft>?]>([
    ['the working copy is not known', {}],
    ['a file is not committed', { git: { ...clean, uncommittedFiles: 1 } }],
    ['a commit is not pushed', { git: { ...clean, ahead: 1 } }],
    ['the remote has moved on', { git: { ...clean, behind: 1 } }],
    ['another branch is deployed', { git: { ...clean, branch: 'feature' } }],
    ['no branch is checked out', { git: { ...clean, branch: undefined } }],
    ['a tag is deployed', { git: clean }, { ref: { kind: 'tag', name: 'main' } }],
  ])('has a config that does not parse: a warning when %s', (_, more, change) => {
    const appConfig = parseAppConfig('{', 'graph.json');
    const findings = look(change, { appConfig, ...more });
    expect(findings.filter(({ field }) => field === 'configPath').map(({ severity }) => severity)).toEqual(['warning']);
  });
});

describe('secrets', () => {
  test.each([
    [[{ name: 'A', value: '' }], 'warning', 'The secret A has an empty value.'],
    [[{ name: 'A', value: 'x\n' }], 'warning', 'The value of A begins or ends with white space.'],
    [
      [{ name: 'my-key', value: 'x' }],
      'warning',
      "my-key is an unusual name: a shell can't read it as an environment variable.",
    ],
    [
      [
        { name: 'A', value: undefined },
        { name: 'B', value: undefined },
      ],
      'error',
      'Enter the values of A, B, or remove them.',
    ],
  ] as const)('%j are found out', (secrets, severity, message) => {
    expect(look({ secrets: [...secrets] })[0]).toEqual({ severity, field: 'secrets', message });
  });

  test('that are fine are not mentioned', () => {
    expect(messages(look({ secrets: [{ name: 'API_KEY', value: 'x' }] })).join(' ')).not.toContain('API_KEY');
  });

  test('that can be imported from the dotenv file are named, each of them and no other, and why others are not', () => {
    const why = '.env, line 3: PATH is set by the platform.';
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const found = look({}, { appConfig: config({ env: '.env' }), configEnv: { names, findings: [why] } });
    expect(messages(found, 'warning')).toEqual([
      "The service doesn't read .env. Add A, B, C, D, E and 1 more as secrets, or the application runs without them.",
    ]);
    expect(messages(found, 'info')).toContain(why);
    const [first] = names;
    const one = look({}, { appConfig: config({ env: '.env' }), configEnv: { names: [first!], findings: [] } });
    expect(messages(one, 'warning')).toEqual([
      "The service doesn't read .env. Add A as a secret, or the application runs without it.",
    ]);
    const others = look({}, { appConfig: config({ env: '.env' }), configEnv: { names, findings: [why, why, why] } });
    expect(messages(others, 'info')).toContain(`${why} More of .env can't be imported.`);
    const imported = look({}, { appConfig: config({ env: '.env' }), configEnv: { names: [], findings: [] } });
    expect(imported).toEqual(look({}));
  });

  test('of an inline env are named, a few of them', () => {
    const env = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => [name, 'x']));
    expect(messages(look({}, { appConfig: config({ env }) }), 'warning')).toEqual([
      "The service doesn't read graph.json. Add A, B, C, D, E and 2 more as secrets, or the application runs without them.",
    ]);
  });

  test('of an inline env are all named as long as they are few', () => {
    const env = { A: 'x', B: 'x', C: 'x', D: 'x', E: 'x' };
    expect(messages(look({}, { appConfig: config({ env }) }), 'warning').join(' ')).toContain(
      'Add A, B, C, D, E as secrets',
    );
  });

  test('are not asked for by a config without an env', () => {
    expect(look({}, { appConfig: config({}) })).toEqual(look());
  });

  test('of a dotenv file that could not be read are only pointed at', () => {
    expect(messages(look({}, { appConfig: config({ env: '.env' }) }), 'info')).toContain(
      "The service doesn't read .env. Add what the application needs as secrets.",
    );
  });

  test('never show their values', () => {
    const canary = 'canary5f1e';
    const value = fc.constantFrom(canary, ` ${canary}`, `${canary}\n`, `${canary}=`, `"${canary}`);
    const name = fc.constantFrom('', 'A', 'A B', 'PATH', 'my-key');
    fc.assert(
      fc.property(
        fc.array(fc.record({ name, value })),
        (secrets) => !JSON.stringify(look({ secrets })).includes(canary),
      ),
    );
  });
});

describe('what else is worth knowing', () => {
  test('resources that may be ignored', () => {
    const wordsOn = (flavor: FlavorName, resourceSpec: ResourceSpec = { cpu: 1 }) =>
      look({ resourceSpec }, { flavor }).filter(({ field }) => field === 'resourceSpec');
    expect(wordsOn('langsmith')).toEqual([
      finding(
        'info',
        'According to its documentation, this service uses resources only for external images.',
        'resourceSpec',
      ),
    ]);
    expect(wordsOn('local')).toEqual([
      finding('info', 'The local service runs nothing, so it only keeps the resources.', 'resourceSpec'),
    ]);
    // The interface says nothing of it.
    expect(wordsOn('standard')).toEqual([]);
    expect(wordsOn('langsmith', {})).toEqual([]);
  });

  test.each([
    ['npm ci', []],
    ['npm ci && npm run build', []],
    [
      'npm ci & rm x',
      ['The install command contains characters that services reject: " ` \\ | ; $ < > or a single &.'],
    ],
    ['echo $HOME', ['The install command contains characters that services reject: " ` \\ | ; $ < > or a single &.']],
  ])('an install command %j that services refuse', (installCommand, expected) => {
    expect(messages(look({ installCommand }), 'warning')).toEqual(expected);
  });

  test('no commands of a JavaScript application, or of one that is not known', () => {
    const appConfig = config({ node_version: '22', graphs: { a: './a.ts:g' } });
    expect(messages(look({ buildCommand: 'make' }, { appConfig })).join(' ')).not.toContain('ignored');
    expect(messages(look({ buildCommand: 'make' })).join(' ')).not.toContain('ignored');
  });

  test('commands of a Python application', () => {
    expect(messages(look({ buildCommand: 'make' }, { appConfig: config({}) }), 'info')).toContain(
      'The build command may be ignored: it is meant for JavaScript applications.',
    );
    expect(messages(look({ buildCommand: '' }, { appConfig: config({}) }), 'info').join(' ')).not.toContain('ignored');
  });
});

test('errors come before warnings and warnings before the rest', () => {
  const severities = look(
    { integrationId: '', resourceSpec: { cpu: 1 }, secrets: [{ name: 'A', value: '' }] },
    { git: { ...clean, ahead: 1 }, flavor: 'langsmith' },
  ).map(({ severity }) => severity);
  expect(severities).toEqual(['error', 'warning', 'warning', 'info', 'info']);
});
