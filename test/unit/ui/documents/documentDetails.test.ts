import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { detailsText, type DetailsLine } from '../../../../src/core/status/detailsWords.ts';
import { formatMoment } from '../../../../src/core/status/duration.ts';
import type { ServiceConnection } from '../../../../src/state/connections/connection.ts';
import { commentLines, detailsOf, linksIn } from '../../../../src/ui/documents/documentDetails.ts';
import type { DocumentResource } from '../../../../src/ui/documents/documentResources.ts';
import type { DocumentPlace } from '../../../../src/ui/window/documentPlace.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const clock = new FakeClock();
const seenAt = clock.monotonic() - 60_000;
const asOf = clock.now() - 3_600_000;
const moment = (time: number) => formatMoment(new Date(time).toISOString()).replaceAll(/\s/g, ' ');

const revision: Revision = { id: 'r1', status: 'DEPLOYED', source_revision_config: { image_uri: 'agent:1.0' } };
const deployment: Deployment = {
  id: 'd1',
  name: 'agent',
  tenant_id: 't1',
  active_revision_id: 'r1',
  latest_revision_id: 'r1',
  source_config: {},
};
const failed: Revision = { id: 'r1', status: 'BUILD_FAILED', status_message: 'No', source_revision_config: {} };
const connection = (name: string): ServiceConnection => ({
  kind: 'service',
  name,
  baseUrl: 'https://service.example/api-host',
  flavor: 'langsmith',
});

const workspaceMemory = new InMemoryMemory();
const { answers } = testAnswers({ clock, workspaceMemory });
const times = { askedAt: seenAt, receivedAt: seenAt };
answers.put(
  { connection: 'Work', deploymentId: 'd1', record: deployment, revision, ...times },
  { connection: 'Elsewhere', deploymentId: 'd1', revision: failed, ...times },
);

/** Details in a window that knows the revision of two connections, but the deployment of "Work" only. */
function details(on: string, place: DocumentPlace, resource: DocumentResource | undefined) {
  return detailsOf(
    { connection: on, place },
    { resource, asOf },
    {
      clock,
      connections: { find: connection },
      capabilities: { has: ({ name }) => name === 'Work' },
      answers,
      workspaceDrift: { of: () => 'up to date' },
      workspaceMemory,
    },
  );
}

/** The lines of the first paragraph, without what can be done. */
function stateOf(lines: readonly DetailsLine[]): readonly string[] {
  const texts = lines.map(detailsText);
  return texts.slice(0, texts.indexOf(''));
}

const ofDeployment: DocumentPlace = { kind: 'deployment', ids: ['d1'] };
const ofRevision: DocumentPlace = { kind: 'revision', ids: ['d1', 'r1'] };
const page = 'Service page: https://service.example/o/t1/host/deployments/d1';

describe('the details of a document', () => {
  it('carry the time of the verdict', () => {
    const { status, asOf: confirmedAt, lines } = details('Work', ofDeployment, deployment);
    expect(status).toBe('live: agent:1.0');
    expect(confirmedAt).toBe(clock.now() - 60_000);
    expect(stateOf(lines)).toEqual([
      'Live: agent:1.0',
      'Compared with HEAD: up to date',
      `Last checked: ${moment(clock.now() - 60_000)}`,
    ]);
    expect(lines.map(detailsText).at(-1)).toBe(page);
  });

  it("carry the document's time if nothing else is known", () => {
    const place: DocumentPlace = { kind: 'revision', ids: ['d1', 'r2'] };
    const { lines, asOf: confirmedAt } = details('Work', place, { ...revision, id: 'r2' });
    expect(confirmedAt).toBe(asOf);
    expect(lines.map(detailsText)).toContain(`Last checked: ${moment(asOf)}`);
  });

  it('say of a connection only what it answered', () => {
    const { status, lines } = details('Elsewhere', ofRevision, failed);
    expect(status).toBe('Build failed');
    expect(stateOf(lines)).toEqual([
      'Status: r1, Build failed',
      'Reason: No',
      `Last checked: ${moment(clock.now() - 60_000)}`,
    ]);
  });

  it('name the deployment of a revision, and whether the revision is live', () => {
    const { status, lines } = details('Work', ofRevision, revision);
    expect(status).toBe('Deployed · active · latest');
    expect(stateOf(lines)).toEqual([
      'Status: agent:1.0, Deployed, active',
      'Live: agent:1.0',
      `Last checked: ${moment(clock.now() - 60_000)}`,
      'Deployment: agent',
    ]);
  });

  it.each<[string, DocumentPlace, DocumentResource | undefined]>([
    ['what no longer exists', ofDeployment, undefined],
    ['a listener', { kind: 'listener', ids: ['l1'] }, { id: 'l1' }],
  ])('are empty for %s', (_what, place, resource) => {
    expect(details('Work', place, resource)).toEqual({ status: '', asOf, lines: [] });
  });
});

describe('the links of a document', () => {
  const lines: readonly DetailsLine[] = [
    { label: 'Reason', value: 'Live: r1' },
    { label: 'Live', value: 'r1', to: { kind: 'revision', id: 'r1', title: 'r1' } },
    { value: 'Show Changes Since Live', to: { kind: 'command', id: 'showChangesSinceLive' } },
    { label: 'Service page', value: 'https://a.example', to: { kind: 'page', url: 'https://a.example' } },
  ];

  it('stand on the lines that lead somewhere, and nowhere else', () => {
    const text =
      '# Reason: Live: r1\n# Live: r1\n#\n# Show Changes Since Live\n# Service page: https://a.example\n\nname: Live: r1\n  # See https://b.example\n';
    expect(linksIn(text, lines)).toEqual([
      { line: 1, start: 8, end: 10, to: lines[1]?.to },
      { line: 3, start: 2, end: 25, to: lines[2]?.to },
      { line: 4, start: 16, end: 33, to: lines[3]?.to },
    ]);
  });

  it('are missing from lines that say something else by now', () => {
    expect(linksIn('# Live: r2\n', lines)).toEqual([]);
  });

  it('stand on every part of a wrapped line', () => {
    const value = `${'x'.repeat(50)}, Build failed, since noon`;
    const [first = '', second = ''] = commentLines(`Live: ${value}`);
    expect([first, second]).toEqual([`# Live: ${'x'.repeat(50)}, Build failed, since`, '#   noon']);
    expect(linksIn(`${first}\n${second}\n`, [{ ...lines[1], value }])).toEqual([
      { line: 0, start: 8, end: first.length, to: lines[1]?.to },
      { line: 1, start: 4, end: second.length, to: lines[1]?.to },
    ]);
  });
});

describe('a comment', () => {
  it('is wrapped between words, with its other lines indented', () => {
    expect(commentLines(`Reason: ${'a few words '.repeat(12)}`.trim())).toEqual([
      `# Reason: ${'a few words '.repeat(5)}a few`,
      `#   words ${'a few words '.repeat(6)}`.trimEnd(),
    ]);
    const long = commentLines('word '.repeat(200));
    expect(long.every((line) => line.length <= 82)).toBe(true);
    expect(commentLines('')).toEqual(['#']);
    expect(commentLines(`See ${'x'.repeat(200)} there`)).toEqual(['# See', `#   ${'x'.repeat(200)}`, '#   there']);
  });
});
