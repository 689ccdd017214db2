import { describe, expect, it } from 'vitest';
import { hasApplicationLog, hasBuildLog } from '../../../../src/core/logs/availableLogs.ts';
import { emptyLog, type KeptLog } from '../../../../src/core/logs/keptLog.ts';
import { logName, parseLogSubject, type LogSubject } from '../../../../src/core/logs/logSubject.ts';
import { firstErrorLine, LOG_HEAD_LINES, logDocumentLines, type LogState } from '../../../../src/core/logs/logText.ts';

const subject: LogSubject = {
  connection: 'Work',
  type: 'build',
  deploymentId: 'd1',
  revisionId: 'r1',
  filter: {},
  title: 'agent main @ 1a2b3c4',
};
const state: LogState = { asOf: 1_000, error: undefined, ended: undefined, hasOlder: false };
const entry = (key: string, isError = false) => ({ key, time: 1, isError, lines: [`${key} 1`, `${key} 2`] });
const log: KeptLog = { entries: [entry('a'), entry('b', true)], isCut: false };

const headOf = (given: Partial<LogState>, kept = log, of = subject) =>
  logDocumentLines(of, kept, { ...state, ...given }).slice(0, LOG_HEAD_LINES);

describe("a log's document", () => {
  it('begins with what it shows, and ends with an empty line', () => {
    expect(logDocumentLines(subject, log, state)).toEqual([
      'Build log of agent main @ 1a2b3c4 on Work',
      'New lines appear at the end.',
      'The log begins here. Read-only, with secrets hidden.',
      '',
      'a 1',
      'a 2',
      'b 1',
      'b 2',
      '',
    ]);
  });

  it('names its filter in the first line and in the tab', () => {
    const filtered = { ...subject, filter: { level: 'ERROR', text: 'graph' } } as const;
    expect(headOf({}, log, filtered)[0]).toBe('Build log of agent main @ 1a2b3c4 on Work · ERROR · "graph"');
    expect(logName(filtered)).toBe('Build of agent main @ 1a2b3c4 (ERROR, "graph")');
    expect(logName({ ...subject, type: 'application' })).toBe('agent main @ 1a2b3c4');
  });

  it('says which application it is of', () => {
    expect(headOf({}, log, { ...subject, type: 'application', title: 'agent' })[0]).toMatch(
      /^Application log of agent on Work/,
    );
    expect(headOf({}, log, { ...subject, type: 'deploy' })[0]).toMatch(
      /^Application log of the revision agent main @ 1a2b3c4 on Work/,
    );
  });

  it('says that its revision has ended, and how', () => {
    expect(headOf({ ended: 'Build failed' })[1]).toBe(
      'No new lines are expected. Status of the revision: Build failed',
    );
  });

  it('says what failed, and how old its lines are', () => {
    expect(headOf({ error: 'Nothing answers.' })[1]).toMatch(
      /^As of \d?\d:\d\d.*\. Since then, the log couldn't be read: Nothing answers\.$/,
    );
    expect(headOf({ error: 'Nothing answers.', asOf: undefined }, emptyLog).slice(1, 3)).toEqual([
      "Couldn't read the log: Nothing answers.",
      'Read-only, with secrets hidden.',
    ]);
  });

  it('says why there are no lines, or no older ones', () => {
    expect(headOf({}, emptyLog)[2]).toBe('No lines yet. Read-only, with secrets hidden.');
    expect(headOf({}, emptyLog, { ...subject, filter: { level: 'ERROR' } })[2]).toBe(
      'No lines match the filter. Read-only, with secrets hidden.',
    );
    expect(headOf({ hasOlder: true })[2]).toBe('There are older lines. Read-only, with secrets hidden.');
    expect(headOf({}, { ...log, isCut: true })[2]).toBe(
      'Older lines removed: only the newest 10,000 lines are kept. Read-only, with secrets hidden.',
    );
  });

  it('knows the line of its first error', () => {
    expect(logDocumentLines(subject, log, state)[firstErrorLine(log) ?? 0]).toBe('b 1');
    expect(firstErrorLine(emptyLog)).toBeUndefined();
  });
});

describe('the address of a log', () => {
  const address = { connection: 'Work', type: 'build', deploymentId: 'd1', revisionId: 'r1', title: 'agent' };

  it('is read with its filter', () => {
    expect(parseLogSubject({ ...address, level: 'ERROR', text: 'x' })).toEqual({
      ...address,
      filter: { level: 'ERROR', text: 'x' },
    });
  });

  it.each([
    undefined,
    'text',
    [],
    {},
    { ...address, type: 'other' },
    { ...address, connection: 1 },
    { ...address, revisionId: undefined },
  ])('is none: %j', (value) => {
    expect(parseLogSubject(value)).toBeUndefined();
  });

  it('without a level that services have shows all', () => {
    expect(parseLogSubject({ ...address, level: 'LOUD', text: '', title: 1 })).toEqual({
      ...address,
      title: '',
      filter: { level: undefined, text: undefined },
    });
  });
});

describe('the logs of a revision', () => {
  const revision = (status: string) => ({ id: 'r1', status });

  it('include that of its build once it has begun, except for images', () => {
    const deployment = { id: 'd1', name: 'agent', source: 'repohost' } as const;
    expect(hasBuildLog(deployment, revision('BUILD_FAILED'))).toBe(true);
    expect(hasBuildLog(undefined, revision('BUILDING'))).toBe(true);
    expect(hasBuildLog(deployment, revision('CREATING'))).toBe(false);
    expect(hasBuildLog(deployment, undefined)).toBe(false);
    expect(hasBuildLog({ ...deployment, source: 'external_docker' }, revision('DEPLOYED'))).toBe(false);
    const ofImage = { ...revision('DEPLOYED'), source_revision_config: { image_uri: 'image:1' } };
    expect(hasBuildLog(deployment, ofImage)).toBe(false);
  });

  it('include that of the application if it ran', () => {
    expect(
      ['DEPLOYED', 'DEPLOY_FAILED', 'BUILD_FAILED', 'BUILDING'].map((s) => hasApplicationLog(revision(s))),
    ).toEqual([true, true, false, false]);
    expect(hasApplicationLog(undefined)).toBe(false);
  });
});
