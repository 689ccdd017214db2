import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { detailsText } from '../../../../src/core/status/detailsWords.ts';
import { formatMoment } from '../../../../src/core/status/duration.ts';
import type { ServiceConnection } from '../../../../src/state/connections/connection.ts';
import { detailsOf, linksIn } from '../../../../src/ui/window/documentDetails.ts';
import type { DocumentPlace, DocumentResource } from '../../../../src/ui/window/documentResources.ts';
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
const connection = (name: string): ServiceConnection => ({
  kind: 'service',
  name,
  baseUrl: 'https://service.example/api-host',
  flavor: 'langsmith',
});

/** Details in a window that uses the connection "Work", whose list may not have the deployment. */
function details(on: string, place: DocumentPlace, resource: DocumentResource | undefined, isListed = true) {
  return detailsOf(
    { connection: on, place },
    { resource, asOf },
    {
      clock,
      connections: {
        session: { kind: 'ready', connection: connection('Work'), client: () => Promise.reject(new Error('unused')) },
        find: connection,
      },
      deployments: {
        find: () => (isListed ? deployment : undefined),
        revision: () => revision,
        observe: (_deploymentId, revisionId) => ({
          revisionId,
          revision,
          revisionAt: seenAt,
          ...(isListed ? { deployment, deploymentAt: seenAt, active: revision } : {}),
        }),
      },
      workspaceDrift: { of: () => ({ text: 'live is HEAD' }) },
    },
  );
}

const ofDeployment: DocumentPlace = { kind: 'deployment', ids: ['d1'] };
const ofRevision: DocumentPlace = { kind: 'revision', ids: ['d1', 'r1'] };
const page = 'Service page: https://service.example/o/t1/host/deployments/d1';

describe('the details of a document', () => {
  it('carry the time of the verdict', () => {
    const { status, asOf: confirmedAt, head, end } = details('Work', ofDeployment, deployment);
    expect(status).toBe('live: agent:1.0');
    expect(confirmedAt).toBe(clock.now() - 60_000);
    expect(head.map(detailsText)).toEqual([
      'Live: agent:1.0',
      'Workspace: live is HEAD',
      `Last checked: ${moment(clock.now() - 60_000)}`,
    ]);
    expect(end.map(detailsText).at(-1)).toBe(page);
  });

  it("carry the document's time if the list has no record", () => {
    const { head, asOf: confirmedAt } = details('Work', ofDeployment, deployment, false);
    expect(confirmedAt).toBe(asOf);
    expect(head.map(detailsText)).toContain(`Last checked: ${moment(asOf)}`);
  });

  it('take nothing from the lists on another connection', () => {
    const { status, head, end } = details('Elsewhere', ofDeployment, deployment);
    expect(status).toBe('');
    expect(head.map(detailsText)).toEqual(['Live: r1', `Last checked: ${moment(asOf)}`]);
    expect(end.map(detailsText).at(-1)).toBe(page);
    const other: Revision = { id: 'r1', status: 'BUILD_FAILED', status_message: 'No', source_revision_config: {} };
    expect(details('Elsewhere', ofRevision, other).head.map(detailsText)).toEqual([
      'Status: r1, Build failed',
      'Reason: No',
      `Last checked: ${moment(asOf)}`,
    ]);
  });

  it('name the deployment of a revision, and whether the revision is live', () => {
    const { status, head } = details('Work', ofRevision, revision);
    expect(status).toBe('Deployed · active · latest');
    expect(head.map(detailsText)).toEqual([
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
    expect(details('Work', place, resource)).toEqual({ status: '', asOf, head: [], end: [] });
  });
});

describe('the links of a document', () => {
  const lines = {
    head: [
      { label: 'Reason', value: 'Live: r1' },
      { label: 'Live', value: 'r1', to: { kind: 'revision', id: 'r1', title: 'r1' } as const },
    ],
    end: [
      { label: 'Service page', value: 'https://a.example', to: { kind: 'page', url: 'https://a.example' } as const },
    ],
  };

  it('stand on the lines that lead somewhere, and nowhere else', () => {
    const text =
      '# Reason: Live: r1\n# Live: r1\nname: Live: r1\n  # See https://b.example\n# Service page: https://a.example\n';
    expect(linksIn(text, lines)).toEqual([
      { line: 1, start: 8, end: 10, to: lines.head[1]?.to },
      { line: 4, start: 16, end: 33, to: lines.end[0]?.to },
    ]);
  });

  it('are missing from lines that say something else by now', () => {
    expect(linksIn('# Live: r2\n', lines)).toEqual([]);
  });
});
