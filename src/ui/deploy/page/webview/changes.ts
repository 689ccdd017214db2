import { typingPause } from '../../../page/webview/typing.ts';
import type { FromPageMessage } from '../pageMessages.ts';
import type { PageState } from '../protocol.ts';

/** A field that takes input. */
export interface TypedField {
  /** Of the deployment in the file; undefined for a field that several share. */
  readonly index: number | undefined;
  readonly key: string;
  readonly control: HTMLInputElement | HTMLSelectElement;
  /** What it showed before the user typed. */
  before: string;
  /** The editor refused what it shows. */
  isRefused: boolean;
}

/** What the user changes in the fields, until the document has it. */
export class FieldChanges {
  readonly #tell: (message: FromPageMessage) => void;
  readonly #sent = new Map<number, TypedField>();
  /** Input that isn't sent yet, with the version of the document that the user saw. */
  #typed: { readonly input: TypedField; readonly version: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #version = 0;
  #lastId = 0;

  constructor(tell: (message: FromPageMessage) => void) {
    this.#tell = tell;
  }

  /** Counts the changes, also those that others send. */
  readonly nextId = (): number => (this.#lastId += 1);

  /** Learns what the document has. */
  receive({ version, applied }: PageState): void {
    this.#version = version;
    for (const id of this.#sent.keys()) if (id <= applied) this.#sent.delete(id);
  }

  /** Whether a field keeps what it shows, because the document doesn't have it. */
  keeps(input: TypedField): boolean {
    return input.isRefused || this.#typed?.input === input || [...this.#sent.values()].includes(input);
  }

  /** Takes what the user typed in a field. It is sent after a pause. */
  take(input: TypedField): void {
    if (this.#typed?.input !== input) this.send();
    this.#typed ??= { input, version: this.#version };
    input.isRefused = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), typingPause);
  }

  send(): void {
    clearTimeout(this.#timer);
    if (this.#typed === undefined) return;
    const { input, version } = this.#typed;
    const { index, key, control } = input;
    this.#typed = undefined;
    const id = this.nextId();
    this.#sent.set(id, input);
    input.before = control.value;
    this.#tell({ type: 'change', id, version, index, key, value: control.value });
  }

  /**
   * Takes back what isn't sent yet, or the document's last change if that is still on its way.
   * @returns whether anything is taken back
   */
  undo(): boolean {
    if (this.#typed !== undefined) {
      const { control, before } = this.#typed.input;
      clearTimeout(this.#timer);
      this.#typed = undefined;
      control.value = before;
      return true;
    }
    if (this.#sent.size === 0) return false;
    this.#tell({ type: 'undo' });
    return true;
  }

  /** Learns that the editor refused a change. The field keeps it until the user changes it. */
  refuse(id: number): void {
    const input = this.#sent.get(id);
    this.#sent.delete(id);
    if (input !== undefined && !this.keeps(input)) input.isRefused = true;
  }
}
