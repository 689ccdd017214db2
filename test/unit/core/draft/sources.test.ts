import { describe, expect, it } from 'vitest';
import { deploymentCreateWire } from '../../../../src/api/resources/deployments.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import { draftLines } from '../../../../src/core/draft/draftLines.ts';
import { draftFields, fieldsOf } from '../../../../src/core/draft/fields.ts';
import { sourceFacts } from '../../../../src/core/draft/sources.ts';
import { isRecord } from '../../../../src/api/schema/json.ts';
import { fullDrafts } from '../../../support/deploymentDraft.ts';

/** The paths of a body at which the interface has a field. */
function pathsIn(value: unknown, known: ReadonlySet<string>, path = ''): readonly string[] {
  if (known.has(path)) return [path];
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsIn(member, known, path === '' ? name : `${path}.${name}`),
  );
}

describe.each(SOURCES)('the source %s', (source) => {
  const draft = fullDrafts()[source];
  const known = new Set<string>(Object.values(draftFields).map(({ path }) => path));

  it('sends exactly the fields of its table', () => {
    const sent = pathsIn(createRequest(draft), known).filter((path) => path !== 'source_revision_config');
    expect(new Set(sent)).toEqual(new Set(fieldsOf(draft).map((field) => draftFields[field].path)));
  });

  it('makes a request that the interface accepts', () => {
    expect(deploymentCreateWire.parse(createRequest(draft))).toEqual(createRequest(draft));
  });

  it('shows a line for each field that is sent, in the order of the table', () => {
    expect(draftLines(draft).map(({ field }) => field)).toEqual(fieldsOf(draft));
    expect(draftLines(draft)[0]).toMatchObject({ label: 'Source', value: sourceFacts[source].title() });
  });

  it('has no secret value in its lines', () => {
    expect(JSON.stringify(draftLines(draft))).not.toContain('canary');
  });

  it('says what it needs and where it is offered', () => {
    expect(sourceFacts[source].explanation()).toMatch(/ Needs .*\.$/);
    expect(sourceFacts[source].offered()).toMatch(/^for (hosted|self-hosted) services$/);
  });
});

it('says which of several config files is meant', () => {
  const valueOf = (...paths: readonly string[]) =>
    draftLines(fullDrafts().repohost, paths).find(({ field }) => field === 'configPath')?.value;
  expect(valueOf('apps/a/graph.json', 'graph.json', 'apps/b/graph.json')).toBe('graph.json (2 of 3)');
  expect(valueOf('graph.json')).toBe('graph.json');
  expect(valueOf('apps/a/graph.json', 'apps/b/graph.json')).toBe('graph.json');
});

it('says where each value came from', () => {
  const draft = fullDrafts().repohost;
  draft.provenance = {
    name: { kind: 'user' },
    repositoryUrl: { kind: 'remote', name: 'upstream' },
    integrationId: { kind: 'integration' },
    ref: { kind: 'checkedOut' },
    resourceSpec: { kind: 'form' },
    secrets: { kind: 'copy', name: 'other' },
  };
  const from = Object.fromEntries(draftLines(draft).map((line) => [line.field, line.from]));
  expect(from).toMatchObject({
    name: 'chosen',
    repositoryUrl: 'remote upstream',
    integrationId: 'has the repository',
    ref: 'checked out',
    resourceSpec: 'resource form',
    secrets: 'copied from other',
    deploymentType: 'default',
  });
});
