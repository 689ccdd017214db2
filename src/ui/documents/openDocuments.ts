import type { RevisionId } from '../../state/answers/answers.ts';
import { toWallTime, type Clock } from '../../state/clock.ts';
import type { DocumentSubject } from '../window/documentPlace.ts';
import type { DocumentResource, KnownResource } from './documentResources.ts';

/** The content of a document. */
export interface DocumentContent {
  /** Undefined if the service doesn't have it or was never reached. */
  readonly resource: DocumentResource | undefined;
  /** When the service last confirmed the resource, in milliseconds; undefined if it never did. */
  readonly asOf: number | undefined;
  /** Why the last request failed. */
  readonly error?: unknown;
}

export interface OpenDocumentsDependencies {
  /** The resource as the memory of answers or a list has it. */
  readonly find: (subject: DocumentSubject) => KnownResource | undefined;
  /** Requests the resource from the service. Undefined if the memory of answers has the answer. */
  readonly ask: (subject: DocumentSubject, signal: AbortSignal) => Promise<KnownResource | undefined>;
  /** Turns content into text. */
  readonly write: (subject: DocumentSubject, content: DocumentContent) => string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Called for each document whose text changed. */
  readonly onChange: (key: string) => void;
  /** Called when visible documents need other revisions to be polled, or others are open, by the ids of their resources. */
  readonly onShow: (shown: readonly RevisionId[], open: readonly string[]) => void;
}

/** Why the last request failed, and when it was sent, in monotonic time. */
export interface Failure {
  readonly error: unknown;
  readonly at: number;
}

interface OpenDocument {
  readonly key: string;
  readonly subject: DocumentSubject;
  /** The last answer to the document itself that the memory of answers doesn't have. */
  answer: KnownResource | undefined;
  failure: Failure | undefined;
  text: string;
}

/** How old a document may be when it becomes visible, in milliseconds. */
const millisecondsUntilOld = 60_000;

/**
 * The open documents, by URI. Their texts say what is known of their subjects.
 * Hidden documents are updated when they become visible again.
 */
export class OpenDocuments {
  readonly #dependencies: OpenDocumentsDependencies;
  readonly #open = new Map<string, OpenDocument>();
  /** Documents whose first text is loading. One that is closed meanwhile is never opened. */
  readonly #opening = new Map<string, { readonly document: OpenDocument; readonly text: Promise<string> }>();
  /** The answers to closed documents whose resources are gone, because nothing else remembers that. */
  readonly #gone = new Map<string, KnownResource>();
  readonly #requests = new Map<string, AbortController>();
  #visible: ReadonlySet<string> = new Set();
  #shown = '[[],[]]';

  constructor(dependencies: OpenDocumentsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The text of a document; what nobody knows yet is asked for. */
  async read(key: string, subject: DocumentSubject): Promise<string> {
    const known = this.#open.get(key) ?? this.#opening.get(key);
    if (known !== undefined) return known.text;
    const document: OpenDocument = { key, subject, answer: this.#gone.get(key), failure: undefined, text: '' };
    if (this.#newestOf(document) !== undefined) return this.#keep(document);
    const isOpening = (): boolean => this.#opening.get(key)?.document === document;
    const text = this.#ask(document).then(() => (isOpening() ? this.#keep(document) : this.#textOf(document)));
    this.#opening.set(key, { document, text });
    return text;
  }

  /** What an open document shows, for its links. */
  contentOf(key: string): DocumentContent | undefined {
    const document = this.#open.get(key);
    return document && this.#contentOf(document);
  }

  /** Forgets a closed document. */
  close(key: string): void {
    const { answer } = this.#open.get(key) ?? {};
    if (answer !== undefined && answer.resource === undefined) this.#gone.set(key, answer);
    this.#requests.get(key)?.abort();
    this.#opening.delete(key);
    this.#open.delete(key);
    this.#tellShown();
  }

  /** Sets which documents are visible. One that appears is updated, and asked for if what is known is old. */
  async setVisible(keys: ReadonlySet<string>): Promise<void> {
    const before = this.#visible;
    this.#visible = keys;
    for (const [key, request] of this.#requests) if (this.#open.has(key) && !keys.has(key)) request.abort();
    this.#tellShown();
    const appeared = this.#visibleOnes(({ key }) => !before.has(key));
    const oldest = this.#dependencies.clock.monotonic() - millisecondsUntilOld;
    const old = appeared.filter((document) => (this.#newestOf(document)?.at ?? -Infinity) < oldest);
    for (const document of appeared) this.#write(document);
    await this.#askAgain(old);
  }

  /** Writes visible documents again, because something else is known. */
  update(isMeant: (subject: DocumentSubject) => boolean): void {
    for (const document of this.#visibleOnes(({ subject }) => isMeant(subject))) this.#write(document);
  }

  /** Records a failed poll in the documents that depend on the revision. */
  fail({ connection, revisionId }: RevisionId, failure: Failure): void {
    const isPolled = (id: RevisionId): boolean => id.connection === connection && id.revisionId === revisionId;
    for (const document of this.#visibleOnes((each) => this.#revisionsOf(each).some(isPolled))) {
      document.failure = failure;
      this.#write(document);
    }
  }

  /** Forgets the answers of a connection that is another one now. */
  forget(connection: string): void {
    this.#gone.clear();
    for (const document of this.#open.values()) {
      if (document.subject.connection !== connection) continue;
      document.answer = undefined;
      document.failure = undefined;
    }
  }

  /** Requests the resource of each visible document again. */
  async refresh(): Promise<void> {
    await this.#askAgain(this.#visibleOnes());
  }

  /** Requests resources again whose last request failed, or that are no longer known, unless that is under way. */
  async retry(
    isMeant: (subject: DocumentSubject, failure: Failure | undefined) => boolean = () => true,
  ): Promise<void> {
    const isLacking = (document: OpenDocument): boolean => {
      const newest = this.#newestOf(document);
      return newest === undefined || hasFailedSince(document, newest);
    };
    const lacking = this.#visibleOnes((each) => isMeant(each.subject, each.failure) && isLacking(each));
    await this.#askAgain(lacking.filter(({ key }) => !this.#requests.has(key)));
  }

  dispose(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#opening.clear();
    this.#open.clear();
  }

  #keep(document: OpenDocument): string {
    this.#opening.delete(document.key);
    this.#open.set(document.key, document);
    document.text = this.#textOf(document);
    this.#tellShown();
    return document.text;
  }

  #visibleOnes(isMeant: (document: OpenDocument) => boolean = () => true): readonly OpenDocument[] {
    return [...this.#open.values()].filter((document) => this.#visible.has(document.key) && isMeant(document));
  }

  async #askAgain(documents: readonly OpenDocument[]): Promise<void> {
    const askFor = async (document: OpenDocument): Promise<void> => {
      await this.#ask(document);
      this.#write(document);
    };
    await Promise.all(documents.map(askFor));
  }

  /** Requests a document's resource; a new request replaces a running one. */
  async #ask(document: OpenDocument): Promise<void> {
    const { ask, clock } = this.#dependencies;
    const { key } = document;
    this.#requests.get(key)?.abort();
    const request = new AbortController();
    this.#requests.set(key, request);
    const at = clock.monotonic();
    try {
      const answer = await ask(document.subject, request.signal);
      if (!request.signal.aborted) document.answer = answer;
    } catch (error) {
      if (!request.signal.aborted) document.failure = { error, at };
    } finally {
      if (this.#requests.get(key) === request) this.#requests.delete(key);
    }
  }

  #write(document: OpenDocument): void {
    if (this.#open.get(document.key) !== document) return;
    const text = this.#textOf(document);
    this.#tellShown();
    if (text === document.text) return;
    document.text = text;
    this.#dependencies.onChange(document.key);
  }

  #textOf(document: OpenDocument): string {
    return this.#dependencies.write(document.subject, this.#contentOf(document));
  }

  #newestOf({ subject, answer }: OpenDocument): KnownResource | undefined {
    const known = this.#dependencies.find(subject);
    return known === undefined || (answer !== undefined && answer.at > known.at) ? answer : known;
  }

  #contentOf(document: OpenDocument): DocumentContent {
    const { clock } = this.#dependencies;
    const newest = this.#newestOf(document);
    // A list has some entries before it is first loaded.
    const asOf = newest === undefined || newest.at === -Infinity ? undefined : toWallTime(clock, newest.at);
    const error = hasFailedSince(document, newest) ? document.failure?.error : newest?.error;
    return { resource: newest?.resource, asOf, error };
  }

  #tellShown(): void {
    const shown = this.#visibleOnes().flatMap((document) => this.#revisionsOf(document));
    const open = [...this.#open.values()].flatMap(({ subject }) => subject.place.ids);
    const text = JSON.stringify([shown, open]);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#dependencies.onShow(shown, open);
  }

  /** The revision whose changes affect a document: its own, or the latest one of its deployment. */
  #revisionsOf(document: OpenDocument): readonly RevisionId[] {
    const { connection, place } = document.subject;
    const [deploymentId, shownId] = place.ids;
    const isRevision = place.kind === 'revision' || place.kind === 'comparedRevision';
    if (isRevision && shownId !== undefined) return [{ connection, deploymentId, revisionId: shownId }];
    const { resource } = this.#newestOf(document) ?? {};
    if (place.kind !== 'deployment' || resource === undefined) return [];
    const revisionId = 'latest_revision_id' in resource ? resource.latest_revision_id : undefined;
    return revisionId === undefined ? [] : [{ connection, deploymentId, revisionId }];
  }
}

function hasFailedSince({ failure }: OpenDocument, newest: KnownResource | undefined): boolean {
  return failure !== undefined && failure.at >= (newest?.at ?? -Infinity);
}
