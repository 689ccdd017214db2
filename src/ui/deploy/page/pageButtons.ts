import type { PageButton } from './protocol.ts';

/** Does what a button says. Gives words to tell the user, or an empty text. */
type ButtonRun = () => PromiseLike<unknown>;

/** @param isAsking whether git and the service are asked again, before and after, because it may change what they have */
export type ButtonMaker = (id: string, label: string, run: ButtonRun, isAsking?: boolean) => PageButton;

/** The buttons of a state, and what they do. */
export class PageButtons {
  readonly #runs = new Map<string, ButtonRun>();
  readonly #asking = new Set<string>();

  /** Makes the buttons of a part, whose ids differ from those of other parts. */
  of(part: string | number): ButtonMaker {
    return (id, label, run, isAsking = false) => {
      const whole = `${part}/${id}`;
      this.#runs.set(whole, run);
      if (isAsking) this.#asking.add(whole);
      return { id: whole, label };
    };
  }

  isAsking(id: string): boolean {
    return this.#asking.has(id);
  }

  /** Presses a button. One that is gone does nothing. */
  async press(id: string): Promise<string> {
    const said = await this.#runs.get(id)?.();
    return typeof said === 'string' ? said : '';
  }
}
