import type { DrawnDocument, ShownPlace } from './shown.ts';

/** The product's documents, as the editor uses them. */
interface Provider {
  read(place: ShownPlace): Promise<DrawnDocument>;
  setVisible(places: readonly ShownPlace[]): void;
  close(place: ShownPlace): void;
}

/** A document in an editor. */
export interface OpenedDocument {
  readonly place: ShownPlace;
  readonly drawn: DrawnDocument;
  /** Since when it has been drawn like this and seen. */
  readonly seenAt: number;
}

/** The editors of a window. A document is read once it is opened, and when the product says that it has changed. */
export class Editor {
  readonly #provider: Provider;
  readonly #now: () => number;
  readonly #onDraw: () => void;
  readonly #open = new Map<string, OpenedDocument>();
  readonly #opening = new Set<string>();
  #visible: ReadonlySet<string> = new Set();

  constructor(provider: Provider, now: () => number, onDraw: () => void) {
    this.#provider = provider;
    this.#now = now;
    this.#onDraw = onDraw;
  }

  get open(): readonly ShownPlace[] {
    return [...this.#open.values()].map(({ place }) => place);
  }

  /** The documents that the person sees. */
  get visible(): readonly OpenedDocument[] {
    return [...this.#open].filter(([key]) => this.#visible.has(key)).map(([, document]) => document);
  }

  /** Opens a document beside the others. */
  async show(place: ShownPlace): Promise<void> {
    const key = keyOf(place);
    if (!this.#open.has(key)) {
      this.#opening.add(key);
      const drawn = await this.#provider.read(place);
      // The window may have been closed meanwhile.
      if (!this.#opening.delete(key)) return;
      this.#open.set(key, { place, drawn, seenAt: this.#now() });
    }
    this.look((each) => keyOf(each) === key || this.#visible.has(keyOf(each)));
  }

  /** Chooses which of the open documents are visible. */
  look(isVisible: (place: ShownPlace) => boolean): void {
    const places = this.open.filter(isVisible);
    this.#visible = new Set(places.map(keyOf));
    this.#provider.setVisible(places);
    this.#onDraw();
  }

  close(place: ShownPlace): void {
    this.#open.delete(keyOf(place));
    this.#provider.close(place);
    this.look((each) => this.#visible.has(keyOf(each)));
  }

  /** Reads a document again that the product says has changed. */
  async redraw(place: ShownPlace): Promise<void> {
    const drawn = await this.#provider.read(place);
    if (!this.#open.has(keyOf(place))) return;
    this.#open.set(keyOf(place), { place, drawn, seenAt: this.#now() });
    this.#onDraw();
  }

  dispose(): void {
    this.#opening.clear();
    this.#open.clear();
    this.#visible = new Set();
  }
}

function keyOf({ connection, deploymentId, revisionId }: ShownPlace): string {
  return JSON.stringify([connection, deploymentId, revisionId]);
}
