import type { Clock } from '../clock.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';

/** How long a value is kept, in milliseconds. */
const longestKept = 60 * 60_000;

/** The key of a value that was typed for a secret of a deployment on a connection. */
export function typedKey(deployment: string, connection: string, secret: string): string {
  return JSON.stringify([deployment, connection, secret]);
}

/** The names that `typedKey` has joined. */
export function namesOfTyped(key: string): Readonly<Record<'deployment' | 'connection' | 'secret', string>> {
  const [deployment = '', connection = '', secret = '']: string[] = JSON.parse(key);
  return { deployment, connection, secret };
}

interface TypedValue {
  readonly value: string;
  /** When it is forgotten, in monotonic milliseconds. */
  readonly due: number;
  readonly expiry: Disposable;
}

/**
 * The values of secrets that were typed for a page, also while it is closed. They are never stored, and each is forgotten
 * an hour after it was typed.
 */
export class TypedSecrets {
  readonly #clock: Pick<Clock, 'monotonic' | 'schedule'>;
  readonly #values = new Map<string, TypedValue>();
  readonly #didForget = new Emitter<void>();
  /** A value is an hour old, and gone. */
  readonly onDidForget: Event<void> = this.#didForget.event;

  constructor(clock: Pick<Clock, 'monotonic' | 'schedule'>) {
    this.#clock = clock;
  }

  /** The values at this moment, by their keys. */
  get values(): ReadonlyMap<string, string> {
    return new Map([...this.#values].map(([key, { value }]) => [key, value]));
  }

  get(key: string): string | undefined {
    return this.#values.get(key)?.value;
  }

  set(key: string, value: string): void {
    this.#put(key, value, this.#clock.monotonic() + longestKept);
  }

  /** Keeps a value also under another key, or for another page, as long as under its own. */
  copy(key: string, to: string, page: TypedSecrets = this): void {
    const typed = this.#values.get(key);
    if (typed !== undefined) page.#put(to, typed.value, typed.due);
  }

  #put(key: string, value: string, due: number): void {
    this.delete(key);
    const forget = (): void => {
      this.#values.delete(key);
      this.#didForget.fire();
    };
    const expiry = this.#clock.schedule(forget, due - this.#clock.monotonic());
    this.#values.set(key, { value, due, expiry });
  }

  delete(key: string): void {
    this.#values.get(key)?.expiry.dispose();
    this.#values.delete(key);
  }

  /** Forgets all values. */
  dispose(): void {
    for (const key of this.#values.keys()) this.delete(key);
  }
}
