import type { PageButton } from './protocol.ts';

/** Does what a button says. Gives words to tell the user, or an empty text. */
type ButtonRun = () => PromiseLike<unknown>;

export type ButtonMaker = (id: string, label: string, run: ButtonRun) => PageButton;

/** The buttons of a state, and what they do. */
export class PageButtons {
  readonly #runs = new Map<string, ButtonRun>();

  /** Makes the buttons of a part, whose ids differ from those of other parts. */
  of(part: string | number): ButtonMaker {
    return (id, label, run) => {
      const whole = `${part}/${id}`;
      this.#runs.set(whole, run);
      return { id: whole, label };
    };
  }

  /** Presses a button. One that is gone does nothing. */
  async press(id: string): Promise<string> {
    const said = await this.#runs.get(id)?.();
    return typeof said === 'string' ? said : '';
  }
}
