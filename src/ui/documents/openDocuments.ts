import type { RevisionId } from '../../state/answers/answers.ts';
import { toWallTime, type Clock } from '../../state/clock.ts';
import type { DocumentSubject } from '../window/documentPlace.ts';
import type { KnownResource } from './documentResources.ts';

/** The content of a document. */
export interface DocumentContent<R extends object = object> {
  /** Undefined if the service doesn't have it or was never reached. */
  readonly resource: R | undefined;
  /** When the service last confirmed the resource, in milliseconds; undefined if it never did. */
  readonly asOf: number | undefined;
  /** Why the last request failed. */
  readonly error?: unknown;
}

export interface OpenDocumentsDependencies<R extends object> {
  /** The resource as the memory of answers or a list has it. */
  readonly find: (subject: DocumentSubject) => KnownResource<R> | undefined;
  /** Requests the resource from the service. */
  readonly ask: (subject: DocumentSubject, signal: AbortSignal) => Promise<R | undefined>;
  /** Loads the writer that turns content into text; not needed before the first document. */
  readonly loadWriter: () => Promise<(subject: DocumentSubject, content: DocumentContent<R>) => string>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Called for each document whose text changed. */
  readonly onChange: (key: string) => void;
  /** Called when visible documents need other revisions to be polled, or others are open, by the ids of their resources. */
  readonly onShow: (shown: readonly RevisionId[], open: readonly string[]) => void;
}

/** What is known of a resource, or that it is gone; `at` is in monotonic time. */
interface Newest<R extends object> extends Omit<KnownResource<R>, 'resource'> {
  readonly resource: R | undefined;
}

/** Why the last request failed, and when, in monotonic time. */
export interface Failure {
  readonly error: unknown;
  readonly at: number;
}

interface OpenDocument<R extends object> {
  readonly subject: DocumentSubject;
  /** The last answer to the document itself. It counts where nothing else knows the resource, or that it is gone. */
  answer: Newest<R> | undefined;
  failure: Failure | undefined;
  text: string;
}

/** How old a document may be when it becomes visible, in milliseconds. */
const millisecondsUntilOld = 60_000;

/**
 * The open documents, by URI. Their texts say what is known of their subjects.
 * Hidden documents are updated when they become visible again.
 */
export class OpenDocuments<R extends object = object> {
  readonly #dependencies: OpenDocumentsDependencies<R>;
  readonly #open = new Map<string, OpenDocument<R>>();
  /** Documents whose first text is loading. One that is closed meanwhile is never opened. */
  readonly #opening = new Map<string, { readonly document: OpenDocument<R>; readonly text: Promise<string> }>();
  readonly #requests = new Map<string, AbortController>();
  #visible: ReadonlySet<string> = new Set();
  #shown = '[[],[]]';

  constructor(dependencies: OpenDocumentsDependencies<R>) {
    this.#dependencies = dependencies;
  }

  /** The text of a document; what nobody knows yet is asked for. */
  async read(key: string, subject: DocumentSubject): Promise<string> {
    const known = this.#open.get(key) ?? this.#opening.get(key);
    if (known !== undefined) return known.text;
    const document: OpenDocument<R> = { subject, answer: undefined, failure: undefined, text: '' };
    const text = this.#firstTextOf(key, document);
    this.#opening.set(key, { document, text });
    return text;
  }

  /** What an open document shows, for its links. */
  contentOf(key: string): DocumentContent<R> | undefined {
    const document = this.#open.get(key);
    return document && this.#contentOf(document);
  }

  /** Forgets a closed document. */
  close(key: string): void {
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
    await this.#each(
      (_document, key) => !before.has(key),
      async (key, document) => {
        const { at = -Infinity } = this.#newestOf(document) ?? {};
        const isOld = this.#dependencies.clock.monotonic() - at > millisecondsUntilOld;
        await this.#write(key, document);
        if (isOld) await this.#askAgain(key, document);
      },
    );
  }

  /** Writes visible documents again, because something else is known. */
  async update(isMeant: (subject: DocumentSubject) => boolean): Promise<void> {
    await this.#each(
      ({ subject }) => isMeant(subject),
      async (key, document) => this.#write(key, document),
    );
  }

  /** Records a failed poll in the documents that depend on the revision. */
  async fail({ connection, revisionId }: RevisionId, error: unknown): Promise<void> {
    await this.#each(
      (document) =>
        this.#revisionsOf(document).some((id) => id.connection === connection && id.revisionId === revisionId),
      async (key, document) => {
        document.failure = { error, at: this.#dependencies.clock.monotonic() };
        await this.#write(key, document);
      },
    );
  }

  /** Forgets the answers of a connection that is another one now. */
  forget(connection: string): void {
    for (const document of this.#open.values()) {
      if (document.subject.connection !== connection) continue;
      document.answer = undefined;
      document.failure = undefined;
    }
  }

  /** Requests the resource of each visible document again. */
  async refresh(): Promise<void> {
    await this.#each(
      () => true,
      async (key, document) => this.#askAgain(key, document),
    );
  }

  /** Requests resources again whose last request failed, or that are no longer known, unless that is under way. */
  async retry(
    isMeant: (subject: DocumentSubject, failure: Failure | undefined) => boolean = () => true,
  ): Promise<void> {
    const isLacking = (document: OpenDocument<R>): boolean => {
      const newest = this.#newestOf(document);
      return newest === undefined || hasFailedSince(document, newest);
    };
    await this.#each(
      (document, key) => isMeant(document.subject, document.failure) && isLacking(document) && !this.#requests.has(key),
      async (key, document) => this.#askAgain(key, document),
    );
  }

  dispose(): void {
    for (const request of this.#requests.values()) request.abort();
    this.#opening.clear();
    this.#open.clear();
  }

  async #firstTextOf(key: string, document: OpenDocument<R>): Promise<string> {
    const isOpening = (): boolean => this.#opening.get(key)?.document === document;
    try {
      if (this.#newestOf(document) === undefined) await this.#ask(key, document);
      document.text = await this.#textOf(document);
      if (isOpening()) this.#open.set(key, document);
    } finally {
      if (isOpening()) this.#opening.delete(key);
    }
    this.#tellShown();
    return document.text;
  }

  async #each(
    isMeant: (document: OpenDocument<R>, key: string) => boolean,
    act: (key: string, document: OpenDocument<R>) => Promise<void>,
  ): Promise<void> {
    const meant = [...this.#open].filter(([key, document]) => this.#visible.has(key) && isMeant(document, key));
    await Promise.all(meant.map(([key, document]) => act(key, document)));
  }

  async #askAgain(key: string, document: OpenDocument<R>): Promise<void> {
    await this.#ask(key, document);
    await this.#write(key, document);
  }

  /** Requests a document's resource; a new request replaces a running one. */
  async #ask(key: string, document: OpenDocument<R>): Promise<void> {
    const { ask, clock } = this.#dependencies;
    this.#requests.get(key)?.abort();
    const request = new AbortController();
    this.#requests.set(key, request);
    const at = clock.monotonic();
    try {
      const resource = await ask(document.subject, request.signal);
      if (request.signal.aborted) return;
      document.answer = { resource, at };
    } catch (error) {
      if (!request.signal.aborted) document.failure = { error, at: clock.monotonic() };
    } finally {
      if (this.#requests.get(key) === request) this.#requests.delete(key);
    }
  }

  async #write(key: string, document: OpenDocument<R>): Promise<void> {
    const text = await this.#textOf(document);
    if (this.#open.get(key) !== document) return;
    this.#tellShown();
    if (text === document.text) return;
    document.text = text;
    this.#dependencies.onChange(key);
  }

  async #textOf(document: OpenDocument<R>): Promise<string> {
    const write = await this.#dependencies.loadWriter();
    // Read only now: of two texts on their way, the one that comes last must not be the older one.
    return write(document.subject, this.#contentOf(document));
  }

  #newestOf({
    subject,
    answer,
  }: OpenDocument<R>): (OpenDocument<R>['answer'] & { readonly error?: unknown }) | undefined {
    const known = this.#dependencies.find(subject);
    return known === undefined || (answer !== undefined && answer.at > known.at) ? answer : known;
  }

  #contentOf(document: OpenDocument<R>): DocumentContent<R> {
    const { clock } = this.#dependencies;
    const newest = this.#newestOf(document);
    // A list has some entries before it is first loaded.
    const asOf = newest === undefined || newest.at === -Infinity ? undefined : toWallTime(clock, newest.at);
    const error = hasFailedSince(document, newest) ? document.failure?.error : newest?.error;
    return { resource: newest?.resource, asOf, error };
  }

  #tellShown(): void {
    const shown = [...this.#open].flatMap(([key, document]) =>
      this.#visible.has(key) ? this.#revisionsOf(document) : [],
    );
    const open = [...this.#open.values()].flatMap(({ subject }) => subject.place.ids);
    const text = JSON.stringify([shown, open]);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#dependencies.onShow(shown, open);
  }

  /** The revision whose changes affect a document: its own, or the latest one of its deployment. */
  #revisionsOf(document: OpenDocument<R>): readonly RevisionId[] {
    const { connection, place } = document.subject;
    const [deploymentId, shownId] = place.ids;
    const isRevision = place.kind === 'revision' || place.kind === 'comparedRevision';
    if (isRevision && shownId !== undefined) return [{ connection, deploymentId, revisionId: shownId }];
    const { resource } = this.#newestOf(document) ?? {};
    if (place.kind !== 'deployment' || resource === undefined) return [];
    const revisionId = 'latest_revision_id' in resource ? resource.latest_revision_id : undefined;
    return typeof revisionId === 'string' ? [{ connection, deploymentId, revisionId }] : [];
  }
}

function hasFailedSince<R extends object>({ failure }: OpenDocument<R>, newest: Newest<R> | undefined): boolean {
  return failure !== undefined && failure.at >= (newest?.at ?? -Infinity);
}
