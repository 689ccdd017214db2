import { beforeEach, describe, expect, it } from 'vitest';
import type { RevisionId } from '../../../../src/state/answers/answers.ts';
import { toWallTime } from '../../../../src/state/clock.ts';
import type { DocumentResource, KnownResource } from '../../../../src/ui/documents/documentResources.ts';
import { OpenDocuments, type Failure } from '../../../../src/ui/documents/openDocuments.ts';
import type { DocumentPlace } from '../../../../src/ui/window/documentPlace.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const connection = 'Work';
const key = 'the address';
const listener: DocumentPlace = { kind: 'listener', ids: ['l1'] };
const revision: DocumentPlace = { kind: 'revision', ids: ['d1', 'r1'] };
const deployment: DocumentPlace = { kind: 'deployment', ids: ['d1'] };

let clock: FakeClock;
/** What the memory of answers or a list knows of the resource. */
let known: KnownResource | undefined;
/** What the service answers, or the error that it fails with; each request is counted. */
let answer: () => Promise<DocumentResource | undefined>;
let signals: AbortSignal[];
let changes: string[];
let shown: readonly RevisionId[];
/** The ids that the open documents need. */
let held: readonly string[];
let documents: OpenDocuments;

beforeEach(() => {
  clock = new FakeClock();
  known = undefined;
  answer = async () => ({ id: '1' });
  signals = [];
  changes = [];
  shown = [];
  held = [];
  documents = new OpenDocuments({
    find: () => known,
    ask: async (_subject, signal) => {
      signals.push(signal);
      const at = clock.monotonic();
      return { resource: await answer(), at };
    },
    write: (_subject, content) => JSON.stringify(content),
    clock,
    onChange: (changed) => changes.push(changed),
    onShow: (ids, opened) => ((shown = ids), (held = opened)),
  });
});

/** Opens a document as an editor does: its text first, then it is on the screen. */
async function open(place: DocumentPlace = listener): Promise<string> {
  const text = await documents.read(key, { connection, place });
  await documents.setVisible(new Set([key]));
  return text;
}

const textNow = (place: DocumentPlace = listener) => documents.read(key, { connection, place });
const always = () => true;
const wall = (at: number) => toWallTime(clock, at);
const asText = (resource: object | undefined, asOf: number | undefined, error?: unknown) =>
  JSON.stringify({ resource, asOf, error });
const away = { name: 'ApiError', message: 'Nothing listens there.' };
const awayNow = (): Failure => ({ error: away, at: clock.monotonic() });

describe('a newly opened document', () => {
  it('shows what is known, with its age, without a request', async () => {
    known = { resource: { id: '7' }, at: 5 };
    expect(await open()).toBe(asText({ id: '7' }, wall(5)));
    expect(signals).toEqual([]);
  });

  it("requests once what isn't known", async () => {
    expect(await open()).toBe(asText({ id: '1' }, clock.now()));
    expect(await textNow()).toBe(asText({ id: '1' }, clock.now()));
    expect(signals).toHaveLength(1);
    expect(changes).toEqual([]);
  });

  it('has no age if the service never confirmed what is known', async () => {
    known = { resource: { id: '7' }, at: -Infinity, error: away };
    expect(await textNow()).toBe(asText({ id: '7' }, undefined, away));
  });

  it('says why it never got an answer', async () => {
    answer = () => Promise.reject(away);
    expect(await open()).toBe(asText(undefined, undefined, away));
    answer = async () => ({ id: '1' });
    clock.advance(1);
    await documents.retry();
    expect(await textNow()).toBe(asText({ id: '1' }, clock.now()));
    expect(changes).toEqual([key]);
  });
});

describe('a document that waits for its first answer', () => {
  let respond: (resource: DocumentResource) => void;

  beforeEach(() => {
    respond = () => undefined;
    answer = () => new Promise((resolve) => (respond = resolve));
  });

  it('is requested once, however often it is read', async () => {
    const both = Promise.all([textNow(), textNow()]);
    respond({ id: '1' });
    const expected = asText({ id: '1' }, clock.now());
    expect(await both).toEqual([expected, expected]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it("isn't kept if it is closed meanwhile", async () => {
    const text = textNow(revision);
    await documents.setVisible(new Set([key]));
    documents.close(key);
    respond({ id: '1' });
    await text;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(shown).toEqual([]);
    answer = async () => ({ id: '2' });
    expect(await textNow(revision)).toBe(asText({ id: '2' }, clock.now()));
  });

  it('is requested again if it is reopened meanwhile', async () => {
    const first = textNow();
    documents.close(key);
    const respondToFirst = respond;
    const second = textNow();
    respondToFirst({ id: '1' });
    await first;
    respond({ id: '2' });
    expect(await second).toBe(asText({ id: '2' }, clock.now()));
    expect(await textNow()).toBe(asText({ id: '2' }, clock.now()));
  });
});

describe('a visible document', () => {
  it('changes with what is known, but only if its text differs', async () => {
    known = { resource: { id: '7' }, at: clock.monotonic() };
    await open();
    documents.update(always);
    known = { resource: { id: '7' }, at: clock.monotonic() };
    documents.update(always);
    expect(changes).toEqual([]);
    known = { resource: { id: '8' }, at: clock.monotonic() };
    documents.update(() => false);
    expect(changes).toEqual([]);
    documents.update(always);
    expect(changes).toEqual([key]);
    expect(await textNow()).toContain('"id":"8"');
    expect(signals).toEqual([]);
  });

  it('keeps its text if the service fails, and says how old it is', async () => {
    await open();
    const confirmed = clock.now();
    clock.advance(60_000);
    answer = () => Promise.reject(away);
    await documents.refresh();
    await documents.refresh();
    expect(await textNow()).toBe(asText({ id: '1' }, confirmed, away));
    expect(changes).toEqual([key]);
    answer = async () => ({ id: '1' });
    clock.advance(1);
    await documents.refresh();
    expect(await textNow()).toBe(asText({ id: '1' }, clock.now()));
  });

  it('reports a failure of its list until it was requested itself', async () => {
    const resource = { id: '7' };
    known = { resource, at: 5 };
    await open();
    known = { resource, at: 5, error: away };
    documents.update(always);
    expect(await textNow()).toBe(asText(resource, wall(5), away));
    await documents.refresh();
    expect(await textNow()).toBe(asText({ id: '1' }, clock.now()));
    // The list still has its old row, which is not taken for news.
    documents.update(always);
    expect(await textNow()).toBe(asText({ id: '1' }, clock.now()));
  });

  it('shows the answer to a later request of another part', async () => {
    await open();
    clock.advance(1);
    known = { resource: { id: '9' }, at: clock.monotonic() };
    documents.update(always);
    expect(await textNow()).toBe(asText({ id: '9' }, clock.now()));
    expect(changes).toEqual([key]);
  });

  it('says that its resource is gone, although it was known before', async () => {
    known = { resource: { id: '7' }, at: 5 };
    await open();
    answer = async () => undefined;
    await documents.refresh();
    expect(await textNow()).toBe(asText(undefined, clock.now()));
  });

  it('says that its resource is gone after it was closed, too, until something else knows it', async () => {
    known = { resource: { id: '7' }, at: 5 };
    await open();
    answer = async () => undefined;
    await documents.refresh();
    const goneAt = clock.now();
    documents.close(key);
    expect(await textNow()).toBe(asText(undefined, goneAt));
    documents.close(key);
    clock.advance(1);
    known = { resource: { id: '8' }, at: clock.monotonic() };
    expect(await textNow()).toBe(asText({ id: '8' }, clock.now()));
    documents.forget(connection);
    documents.close(key);
    known = { resource: { id: '7' }, at: 5 };
    expect(await textNow()).toBe(asText({ id: '7' }, wall(5)));
  });

  it('is requested once at a time', async () => {
    await open();
    await Promise.all([documents.refresh(), documents.refresh()]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
  });
});

describe('a hidden document', () => {
  it("isn't updated until it is visible again", async () => {
    await open();
    await documents.setVisible(new Set());
    known = { resource: { id: '8' }, at: clock.monotonic() };
    documents.update(always);
    await documents.refresh();
    await documents.retry();
    expect(await textNow()).toContain('"id":"1"');
    expect(signals).toHaveLength(1);
    await documents.setVisible(new Set([key]));
    expect(await textNow()).toContain('"id":"8"');
    expect(changes).toEqual([key]);
    expect(signals).toHaveLength(1);
  });

  it.each([
    ['its own answer', undefined],
    ['another one', { id: '8' }],
  ])('is requested when it becomes visible if %s is older than a minute', async (_which, resource) => {
    await open();
    known = resource && { resource, at: clock.monotonic() };
    answer = async () => ({ id: '2' });
    await documents.setVisible(new Set());
    clock.advance(60_000);
    await documents.setVisible(new Set([key]));
    expect(signals).toHaveLength(1);
    await documents.setVisible(new Set());
    clock.advance(1);
    await documents.setVisible(new Set([key]));
    expect(signals).toHaveLength(2);
    expect(await textNow()).toBe(asText({ id: '2' }, clock.now()));
  });

  it.each([
    ['hidden', () => documents.setVisible(new Set())],
    ['closed', async () => documents.close(key)],
  ])('no longer needs its answer once it is %s', async (_how, leave) => {
    await open();
    let respond = (_resource: DocumentResource): void => undefined;
    answer = () => new Promise((resolve) => (respond = resolve));
    const refreshing = documents.refresh();
    await leave();
    expect(signals.at(-1)?.aborted).toBe(true);
    respond({ id: '2' });
    await refreshing;
    expect(changes).toEqual([]);
  });
});

describe('the revision polled for a document', () => {
  it('is the one that a visible document shows', async () => {
    await open(revision);
    expect(shown).toEqual([{ connection, deploymentId: 'd1', revisionId: 'r1' }]);
    await documents.setVisible(new Set());
    expect(shown).toEqual([]);
    expect(held).toEqual(['d1', 'r1']);
    await documents.setVisible(new Set([key]));
    documents.close(key);
    expect([...shown, ...held]).toEqual([]);
  });

  it('is the latest one of the deployment shown, even after a newer one took over', async () => {
    answer = async () => ({ id: 'd1', name: 'agent', latest_revision_id: 'r1' });
    await open(deployment);
    expect(shown).toEqual([{ connection, deploymentId: 'd1', revisionId: 'r1' }]);
    known = { resource: { id: 'd1', name: 'agent', latest_revision_id: 'r2' }, at: clock.monotonic() };
    documents.update(always);
    expect(shown).toEqual([{ connection, deploymentId: 'd1', revisionId: 'r2' }]);
  });

  it('reports failed polls in the documents about it, and in no others', async () => {
    await open(revision);
    documents.fail({ connection: 'Another', deploymentId: 'd1', revisionId: 'r1' }, awayNow());
    documents.fail({ connection, deploymentId: 'd1', revisionId: 'r2' }, awayNow());
    expect(changes).toEqual([]);
    documents.fail({ connection, deploymentId: 'd1', revisionId: 'r1' }, awayNow());
    expect(await textNow(revision)).toBe(asText({ id: '1' }, clock.now(), away));
    clock.advance(1);
    known = { resource: { id: '2' }, at: clock.monotonic() };
    documents.update(always);
    expect(await textNow(revision)).toBe(asText({ id: '2' }, clock.now()));
  });

  it('reports a failed poll even if an older request is answered later', async () => {
    await open(revision);
    let respond = (_resource: DocumentResource): void => undefined;
    answer = () => new Promise((resolve) => (respond = resolve));
    const refreshing = documents.refresh();
    clock.advance(1);
    documents.fail({ connection, deploymentId: 'd1', revisionId: 'r1' }, awayNow());
    respond({ id: '2' });
    await refreshing;
    expect(await textNow(revision)).toBe(asText({ id: '2' }, clock.now() - 1, away));
  });

  it('reports no failed poll that was sent before what is known was asked for', async () => {
    await open(revision);
    const failed = awayNow();
    clock.advance(1);
    await documents.refresh();
    documents.fail({ connection, deploymentId: 'd1', revisionId: 'r1' }, failed);
    expect(await textNow(revision)).toBe(asText({ id: '1' }, clock.now()));
  });
});
