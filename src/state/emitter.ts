/** A resource that is released once; `vscode.Disposable` satisfies it. */
export interface Disposable {
  dispose(): void;
}

/** Several resources as one. */
export function combined(parts: readonly Disposable[]): Disposable {
  return {
    dispose: () => {
      for (const part of parts) part.dispose();
    },
  };
}

/** Registers a listener until the returned value is disposed; `vscode.Event` satisfies it. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The sending side of an event. Only its owner can fire it; everyone else gets `event`. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // One wrapper per registration lets the same function be registered twice and released separately.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  fire(value: T): void {
    // A listener may add or remove others while it runs; that takes effect with the next event.
    const listeners = Array.from(this.#listeners);
    for (const listener of listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
