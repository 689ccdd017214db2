import * as l10n from '@vscode/l10n';
import { typingPause } from '../../../page/webview/typing.ts';
import type { KeptInput } from '../../../page/messages.ts';
import type { FromPageMessage, FromPageMessages } from '../pageMessages.ts';
import type { PageState } from '../protocol.ts';

/** A field that takes input. */
export interface TypedField {
  /** The number of the deployment; undefined for a field that several share. */
  readonly number: number | undefined;
  readonly key: string;
  readonly control: HTMLInputElement | HTMLSelectElement;
  /** What it showed before the user typed. */
  before: string;
  /** Its value in the document, as of the last state. */
  present: string;
}

/** What the user changes in the fields, until the document has it. */
export class FieldChanges {
  readonly #tell: (message: FromPageMessage) => void;
  readonly #sent = new Map<number, TypedField>();
  /** The fields that show what the editor refused, each with the reason. */
  readonly #refused = new Map<TypedField, string>();
  /** The field with input that isn't sent yet. */
  #typed: TypedField | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(tell: (message: FromPageMessage) => void) {
    this.#tell = tell;
  }

  /** Counts the changes, also those that others send. */
  readonly nextId = (): number => (this.#lastId += 1);

  /** Learns what the document has. */
  receive({ applied }: PageState): void {
    for (const id of this.#sent.keys()) if (id <= applied) this.#sent.delete(id);
  }

  /** Whether a field keeps what it shows, because the document doesn't have it. */
  keeps(input: TypedField): boolean {
    return this.#refused.has(input) || this.#typed === input || [...this.#sent.values()].includes(input);
  }

  /** Accepts what the user typed in a field. It is sent after a pause. */
  accept(input: TypedField): void {
    if (this.#typed !== input) this.send();
    this.#typed = input;
    this.#refused.delete(input);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), typingPause);
    const { number, key, control } = input;
    this.tellTyping({ number, key, text: control.value });
  }

  /** Tells what is being typed, which the page may have no time to send; nothing if it is taken back. */
  tellTyping(typed?: FromPageMessages['typing']['typed']): void {
    this.#tell({ type: 'typing', typed });
  }

  send(): void {
    clearTimeout(this.#timer);
    const input = this.#typed;
    if (input === undefined) return;
    const { number, key, control } = input;
    this.#typed = undefined;
    if (control.value === input.present && !this.keeps(input)) return this.tellTyping();
    const id = this.nextId();
    this.#sent.set(id, input);
    input.before = control.value;
    this.#tell({ type: 'change', id, number, key, value: control.value });
  }

  /**
   * Takes back what isn't sent yet, or the document's last change if that is still on its way.
   * @returns whether anything is taken back
   */
  undo(): boolean {
    if (this.#typed !== undefined) {
      const { control, before } = this.#typed;
      clearTimeout(this.#timer);
      this.#typed = undefined;
      control.value = before;
      this.tellTyping();
      return true;
    }
    if (this.#sent.size === 0) return false;
    this.#tell({ type: 'undo' });
    return true;
  }

  /** Learns why the editor refused a change. A text stays in its field until the user changes it. */
  refuse(id: number, message: string): void {
    const input = this.#sent.get(id);
    this.#sent.delete(id);
    if (input !== undefined && !this.keeps(input)) this.#keep(input, message);
  }

  /** Shows again what was refused before the page was hidden. */
  restore(input: TypedField, text: string): void {
    input.control.value = text;
    this.#keep(input, l10n.t("This was typed before and isn't in the file. Change it to try again."));
  }

  /** Lets a text field keep what the document doesn't have. Other fields can be chosen again. */
  #keep(input: TypedField, message: string): void {
    if (input.control instanceof HTMLInputElement) this.#refused.set(input, message);
  }

  /** Learns the value of a field in the document. Nothing is refused where the field shows the same. */
  learn(input: TypedField, value: string): void {
    input.present = value;
    if (input.control.value === value) this.#refused.delete(input);
  }

  /** Why the editor refused what a field shows. Undefined if it didn't. */
  refusalOf(input: TypedField): string | undefined {
    return this.#refused.get(input);
  }

  /** The fields that show what the editor refused. */
  get refused(): readonly TypedField[] {
    return [...this.#refused.keys()];
  }

  /** Gives the refused texts of fields that are no longer on the page, and forgets them here. */
  takeLost(): readonly KeptInput[] {
    const lost = this.refused.filter(({ control }) => !control.isConnected);
    for (const input of lost) this.#refused.delete(input);
    return lost.map(({ number, key, control }) => ({ number, key, text: control.value }));
  }
}
