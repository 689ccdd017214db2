import type { RevisionId } from '../../state/following/polledRevision.ts';
import type { KnownResource, DocumentSubject } from './documentResources.ts';

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
  /** The resource as the lists know it. */
  readonly find: (subject: DocumentSubject) => KnownResource<R> | undefined;
  /** Requests the resource from the service. */
  readonly ask: (subject: DocumentSubject, signal: AbortSignal) => Promise<R | undefined>;
  /** Loads the writer that turns content into text; not needed before the first document. */
  readonly loadWriter: () => Promise<(subject: DocumentSubject, content: DocumentContent<R>) => string>;
  readonly now: () => number;
  /** Called for each document whose text changed. */
  readonly onChange: (key: string) => void;
  /** Called when visible documents need other revisions to be polled. */
  readonly onShow: (shown: readonly RevisionId[]) => void;
}

interface OpenDocument<R extends object> {
  readonly subject: DocumentSubject;
  resource: R | undefined;
  asOf: number | undefined;
  error: unknown;
  /** The resource that the lists had at the last look, so the same old answer isn't taken for a new one. */
  listed: R | undefined;
  text: string;
  /** True if an editor stopped showing it, so it may have missed changes. */
  wasHidden: boolean;
}

/**
 * The open documents, by URI.
 * Visible documents follow the lists and the service's answers, and keep their content if the service fails. Hidden
 * documents are updated when they become visible again.
 */
export class OpenDocuments<R extends object = object> {
  readonly #dependencies: OpenDocumentsDependencies<R>;
  readonly #open = new Map<string, OpenDocument<R>>();
  /** Documents whose first text is loading. One that is closed meanwhile is never opened. */
  readonly #opening = new Map<string, { readonly document: OpenDocument<R>; readonly text: Promise<string> }>();
  readonly #requests = new Map<string, AbortController>();
  #visible: ReadonlySet<string> = new Set();
  #shown = '[]';

  constructor(dependencies: OpenDocumentsDependencies<R>) {
    this.#dependencies = dependencies;
  }

  /** The text of a document; a new one is filled from the lists, or else from the service. */
  async read(key: string, subject: DocumentSubject): Promise<string> {
    const known = this.#open.get(key) ?? this.#opening.get(key);
    if (known !== undefined) return known.text;
    const { find, now } = this.#dependencies;
    const listed = find(subject);
    const document: OpenDocument<R> = {
      subject,
      resource: listed?.resource,
      asOf: listed === undefined ? undefined : (listed.loadedAt ?? now()),
      error: undefined,
      listed: listed?.resource,
      text: '',
      wasHidden: false,
    };
    const text = this.#firstTextOf(key, document);
    this.#opening.set(key, { document, text });
    return text;
  }

  /** What an open document shows, for its links. */
  contentOf(key: string): DocumentContent<R> | undefined {
    return this.#open.get(key);
  }

  /** Forgets a closed document. */
  close(key: string): void {
    this.#requests.get(key)?.abort();
    this.#opening.delete(key);
    this.#open.delete(key);
    this.#tellShown();
  }

  /** Sets which documents are visible. One that becomes visible again is updated. */
  async setVisible(keys: ReadonlySet<string>): Promise<void> {
    this.#visible = keys;
    for (const [key, document] of this.#open) {
      if (keys.has(key)) continue;
      document.wasHidden = true;
      this.#requests.get(key)?.abort();
    }
    this.#tellShown();
    await this.#each(
      ({ wasHidden }) => wasHidden,
      async (key, document) => {
        document.wasHidden = false;
        if (this.#dependencies.find(document.subject) === undefined) await this.#askAgain(key, document);
        else await this.#takeListed(key, document);
      },
    );
  }

  /** Applies the current state of the lists to visible documents. */
  async update(isMeant: (subject: DocumentSubject) => boolean): Promise<void> {
    await this.#each(
      ({ subject }) => isMeant(subject),
      async (key, document) => this.#takeListed(key, document),
    );
  }

  /** Applies a resource from another request. */
  async put(isMeant: (subject: DocumentSubject) => boolean, resource: R): Promise<void> {
    await this.#each(
      ({ subject }) => isMeant(subject),
      async (key, document) => {
        this.#confirm(document, resource);
        await this.#write(key, document);
      },
    );
  }

  /** Records a failed poll in the documents that depend on the revision. */
  async fail({ connection, revisionId }: RevisionId, error: unknown): Promise<void> {
    await this.#each(
      (document) => revisionsOf(document).some((id) => id.connection === connection && id.revisionId === revisionId),
      async (key, document) => {
        document.error = error;
        await this.#write(key, document);
      },
    );
  }

  /** Requests the resource of each visible document again. */
  async refresh(): Promise<void> {
    await this.#each(
      () => true,
      async (key, document) => this.#askAgain(key, document),
    );
  }

  /** Requests resources again whose last request failed. */
  async retry(isMeant: (subject: DocumentSubject) => boolean = () => true): Promise<void> {
    await this.#each(
      ({ error, subject }) => error !== undefined && isMeant(subject),
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
      if (document.resource === undefined) await this.#ask(key, document);
      document.text = await this.#textOf(document);
      if (isOpening()) this.#open.set(key, document);
    } finally {
      if (isOpening()) this.#opening.delete(key);
    }
    this.#tellShown();
    return document.text;
  }

  async #each(
    isMeant: (document: OpenDocument<R>) => boolean,
    act: (key: string, document: OpenDocument<R>) => Promise<void>,
  ): Promise<void> {
    const meant = [...this.#open].filter(([key, document]) => this.#visible.has(key) && isMeant(document));
    await Promise.all(meant.map(([key, document]) => act(key, document)));
  }

  async #takeListed(key: string, document: OpenDocument<R>): Promise<void> {
    const listed = this.#dependencies.find(document.subject);
    // Don't request a resource that the lists don't have: that would be polling.
    if (listed === undefined) return;
    if (listed.resource !== document.listed) this.#confirm(document, listed.resource);
    await this.#write(key, document);
  }

  async #askAgain(key: string, document: OpenDocument<R>): Promise<void> {
    await this.#ask(key, document);
    await this.#write(key, document);
  }

  /** Requests a document's resource; a new request replaces a running one. */
  async #ask(key: string, document: OpenDocument<R>): Promise<void> {
    this.#requests.get(key)?.abort();
    const request = new AbortController();
    this.#requests.set(key, request);
    try {
      const resource = await this.#dependencies.ask(document.subject, request.signal);
      if (!request.signal.aborted) this.#confirm(document, resource);
    } catch (error) {
      if (!request.signal.aborted) document.error = error;
    } finally {
      if (this.#requests.get(key) === request) this.#requests.delete(key);
    }
  }

  #confirm(document: OpenDocument<R>, resource: R | undefined): void {
    const { find, now } = this.#dependencies;
    document.resource = resource;
    document.asOf = now();
    document.error = undefined;
    document.listed = find(document.subject)?.resource;
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
    const { loadWriter, find } = this.#dependencies;
    const write = await loadWriter();
    // Read only now: of two texts on their way, the one that comes last must not be the older one.
    const { subject, resource, asOf, error, listed } = document;
    // The error of a list applies only to a resource that came from the list.
    const ofList = resource === listed ? find(subject)?.error : undefined;
    return write(subject, { resource, asOf, error: error ?? ofList });
  }

  #tellShown(): void {
    const shown = [...this.#open].flatMap(([key, document]) => (this.#visible.has(key) ? revisionsOf(document) : []));
    const text = JSON.stringify(shown);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#dependencies.onShow(shown);
  }
}

/** The revision whose changes affect a document: its own, or the latest one of its deployment. */
function revisionsOf({ subject: { connection, place }, resource }: OpenDocument<object>): readonly RevisionId[] {
  const [deploymentId, shownId] = place.ids;
  const isRevision = place.kind === 'revision' || place.kind === 'comparedRevision';
  if (isRevision && shownId !== undefined) return [{ connection, deploymentId, revisionId: shownId }];
  if (place.kind !== 'deployment' || resource === undefined) return [];
  const revisionId = 'latest_revision_id' in resource ? resource.latest_revision_id : undefined;
  return typeof revisionId === 'string' ? [{ connection, deploymentId, revisionId }] : [];
}
