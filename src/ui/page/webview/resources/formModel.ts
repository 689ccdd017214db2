import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../../../api/flavor.ts';
import { isNumberKey, isSpecKey, numberFields, specKeys } from '../../../../core/spec/fields.ts';
import type { NumberKey, SpecKey } from '../../../../core/spec/fields.ts';
import type { FieldFinding } from '../../../../core/spec/findings.ts';
import { encodeField, fieldContent, fieldEdits } from '../../../../core/spec/form.ts';
import type { FieldContent, FieldInput } from '../../../../core/spec/form.ts';
import { positionInPart, specPart } from '../../../../core/spec/part.ts';
import { findingsIn } from '../../../../core/spec/rules.ts';
import { emptySpec, parseSpecYaml, readSpecText } from '../../../../core/yaml/document.ts';
import type { ReadableSpec, TextFinding, UnreadableSpec } from '../../../../core/yaml/document.ts';
import { applyEdits, movedAfter, sharedMessage, smallestChange, trimmedBefore } from '../../../../core/yaml/edit.ts';
import type { EditedText, EditResult, YamlEdit } from '../../../../core/yaml/edit.ts';
import type { SpecMap, SpecPath } from '../../../../core/yaml/value.ts';

/** Where an input came from: a field by its key, a field of an item by its path, the YAML view, or a button. */
type Source = string;

/** An input that the document doesn't have yet. It becomes one step of undo. */
interface Step {
  readonly id: number;
  readonly source: Source;
  readonly edits: readonly YamlEdit[];
  /** The text of the document with this step and those before it. */
  readonly state: EditedText;
  readonly isSent: boolean;
}

/** Changes to send, as one step of undo, for the text with this version and the changes that were sent since. */
export type UnsentChange = Pick<Step, 'id' | 'edits'> & { readonly version: number };

/** The text of a version of the document, which has the changes up to the one with a number. */
export type ReceivedText = Pick<UnsentChange, 'version'> & { readonly text: string; readonly applied: number };

interface FormOptions {
  /** Counts the changes of a page that has others. */
  readonly nextId?: () => number;
  /** Whether the text may be one that can't be read. If it may not, such input stays in its field. */
  readonly takesUnreadable?: boolean;
}

/** An input that can't be put into the text. It stays where it was typed, until it is replaced or can be applied. */
interface Kept {
  readonly edits: readonly YamlEdit[];
  readonly message: string;
  /** What the field or the YAML view shows meanwhile. */
  readonly content?: FieldContent | undefined;
}

/**
 * What a form shows: the document's text, and the inputs that are on their way to it.
 * The document is the only truth; form and YAML are two views of it. The model knows nothing of the page.
 */
export class FormModel {
  #flavor: FlavorName;
  #version = 0;
  /** The text of the document. */
  #received: EditedText = { document: emptySpec };
  #steps: readonly Step[] = [];
  /** The last readable text, which the fields show while the text can't be read. */
  #readable: ReadableSpec = emptySpec;
  #findings: readonly TextFinding[] = [];
  /** What was typed into the field whose value can't be read. */
  #typed: FieldInput | undefined;
  readonly #kept = new Map<Source, Kept>();
  readonly #nextId: () => number;
  readonly #takesUnreadable: boolean;

  constructor(flavor: FlavorName, received: ReceivedText, { nextId, takesUnreadable = true }: FormOptions = {}) {
    let lastId = 0;
    this.#flavor = flavor;
    this.#nextId = nextId ?? (() => (lastId += 1));
    this.#takesUnreadable = takesUnreadable;
    this.receive(received);
  }

  /** The text of the document with all steps. */
  get #edited(): EditedText {
    return this.#steps.at(-1)?.state ?? this.#received;
  }

  get text(): string {
    return this.#edited.document.text;
  }

  /** The text of the YAML view: the document's, or input that another change has overtaken. */
  get yaml(): { readonly text: string; readonly message: string } {
    const kept = this.#kept.get('yaml');
    return kept?.content?.kind === 'yaml'
      ? { text: kept.content.text, message: kept.message }
      : { text: this.text, message: '' };
  }

  /** The spec as the fields show it. */
  get spec(): SpecMap {
    return this.#readable.spec;
  }

  /** Why the YAML can't be read, if so, and not because of one field. Until it can, the fields are locked. */
  get unreadable(): UnreadableSpec | undefined {
    const { document, before } = this.#edited;
    return document.kind === 'unreadable' && before === undefined ? document : undefined;
  }

  /** The fields whose errors keep the spec from being used, in the order of the form. */
  get keysWithErrors(): readonly SpecKey[] {
    return specKeys.filter((key) => this.findingsOf(key).some(isError));
  }

  get hasErrors(): boolean {
    return this.keptCount > 0 || this.textFindings.some(isError);
  }

  /** How many inputs can't get into the document as they are. */
  get keptCount(): number {
    return this.#kept.size;
  }

  /** The YAML of fields that can't get into the document as it is. */
  get keptYaml(): readonly { readonly key: SpecKey; readonly text: string }[] {
    return [...this.#kept].flatMap(([key, { content }]) =>
      isSpecKey(key) && content?.kind === 'yaml' ? [{ key, text: content.text }] : [],
    );
  }

  get textFindings(): readonly TextFinding[] {
    const { document } = this.#edited;
    return document.kind === 'unreadable' ? document.findings : this.#findings;
  }

  /** The findings that belong to no field, such as those of unknown keys. */
  get otherFindings(): readonly TextFinding[] {
    const isReadable = this.#edited.document.kind === 'readable';
    return isReadable ? this.#findings.filter(({ key = '' }) => !isSpecKey(key)) : [];
  }

  /** A field's own input while it can't be read or applied, otherwise its value in the text. */
  contentOf(key: SpecKey, asYaml = false): FieldContent {
    const kept = this.#kept.get(key)?.content ?? (this.#isBroken(key) ? this.#typed : undefined);
    return kept ?? fieldContent(this.#readable, key, asYaml);
  }

  /** Why a single field can't be edited: an alias shares its value. */
  lockOf(key: SpecKey): string | undefined {
    const alias = this.#readable.shared.get(key);
    return alias === undefined ? undefined : sharedMessage(alias);
  }

  /** A field's findings. Those in YAML have their place there, those of items the path of the value. */
  findingsOf(key: SpecKey, asYaml = false): readonly FieldFinding[] {
    const kept = [...this.#kept].filter(([source]) => source === key || source.startsWith(`${key}/`));
    if (kept.length > 0) {
      return kept.map(([source, { message }]) => {
        // The source of an item's input is its path, of which the number leads to its row.
        const [, index] = source.split('/');
        return { severity: 'error', message, ...(index === undefined ? {} : { path: [key, Number(index)] }) };
      });
    }
    if (this.#isBroken(key)) return this.#findingsOfTyped(key);
    const found = this.#findings.filter((finding) => finding.key === key);
    if (found.length === 0 || this.contentOf(key, asYaml).kind !== 'yaml') {
      return found.map(({ severity, message, path = [] }) => ({ severity, message, path }));
    }
    const part = specPart(this.#readable, key);
    return found.map((finding) => ({ ...finding, ...positionInPart(part, finding) }));
  }

  #isBroken(key: SpecKey): boolean {
    return this.#edited.before?.path[0] === key;
  }

  #findingsOfTyped(key: SpecKey): readonly FieldFinding[] {
    const value = this.#typed && encodeField(key, this.#typed);
    const parsed = value && parseSpecYaml(value.text);
    return parsed?.kind === 'unreadable' ? parsed.findings : [];
  }

  /** Uses the rules of another service. */
  useFlavor(flavor: FlavorName): void {
    this.#flavor = flavor;
    this.#check();
  }

  /** The edits that a field's input means. */
  editsOf(key: SpecKey, content: FieldInput): readonly YamlEdit[] {
    return fieldEdits(this.#readable, key, content);
  }

  /** Takes a field's input. */
  edit(key: SpecKey, content: FieldInput): void {
    this.#input(key, this.editsOf(key, content), content);
    if (this.#isBroken(key)) this.#typed = content;
  }

  /** Takes input of an item's field, with the path of its value, or of a button of a list. */
  editItem(path: SpecPath, edits: readonly YamlEdit[]): void {
    this.#input(path.join('/'), edits);
  }

  #input(source: Source, edits: readonly YamlEdit[], content?: FieldInput): void {
    this.#kept.delete(source);
    const message = this.#add(source, edits);
    if (message !== undefined) this.#kept.set(source, { edits, message, content });
    else if (this.#edited.before === undefined) this.#applyKept();
  }

  /** Takes input from the YAML view, where lines end with \n. Keeps the line ends of the text. */
  setText(text: string): void {
    this.#kept.delete('yaml');
    const wanted = this.text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
    this.#add('yaml', [{ kind: 'splice', ...smallestChange(this.text, wanted) }]);
    this.#applyKept();
  }

  /**
   * Sets the numbers of a preset and clears all other numbers; the rest of the text stays.
   * @returns a message with the reason if that isn't possible
   */
  applyNumbers(numbers: Partial<Readonly<Record<NumberKey, number>>>): string | undefined {
    for (const key of this.#kept.keys()) if (isSpecKey(key) && isNumberKey(key)) this.#kept.delete(key);
    return this.#add(
      'button',
      numberFields.map(({ key }) => {
        const value = encodeField(key, { kind: 'text', text: String(numbers[key] ?? '') });
        return { kind: 'set', path: [key], value };
      }),
    );
  }

  /** The changes to send now, in their order. */
  takeUnsent(): readonly UnsentChange[] {
    const unsent = this.#steps.filter(({ isSent }) => !isSent);
    this.#steps = this.#steps.map((step) => ({ ...step, isSent: true }));
    return unsent.map(({ id, edits }) => ({ id, version: this.#version, edits }));
  }

  /** Whether changes are on their way to the document. */
  get isWaiting(): boolean {
    return this.#steps.length > 0;
  }

  /** Takes the document's text, which has the steps up to a number. Later steps are applied to it again. */
  receive({ version, text, applied }: ReceivedText): void {
    const expected = this.#steps.findLast(({ id }) => id <= applied)?.state ?? this.#received;
    this.#version = version;
    this.#steps = this.#steps.filter(({ id }) => id > applied);
    const isSame = expected.document.text === text;
    const overtaken = isSame ? undefined : this.#moveSteps(expected.document.text, text);
    this.#received = isSame ? expected : { document: readSpecText(text) };
    const words = l10n.t(
      "Another change of the same lines came first, so this text isn't in the document. Copy what you need.",
    );
    this.#replay(overtaken, words);
    this.#applyKept();
  }

  /** Learns that a step wasn't applied, nor any after it. Without a message, they are sent again for the newer text. */
  refuse(id: number, message: string): void {
    if (message !== '') this.#replay(id, message);
    this.#steps = this.#steps.map((step) => ({ ...step, isSent: false }));
  }

  /** Adds a step. Returns a message with the reason if the text can't be changed like that. */
  #add(source: Source, edits: readonly YamlEdit[]): string | undefined {
    const result = applyEdits(this.#edited, edits, specKeys);
    if (result.kind === 'refused') return result.message;
    const { state } = result;
    const { kind, text } = state.document;
    if (!this.#takesUnreadable && kind === 'unreadable') {
      return l10n.t("{0} Until then, this isn't in the file.", state.document.findings[0].message);
    }
    if (text !== this.text) {
      this.#steps = [...this.#steps, { id: this.#nextId(), source, edits, state, isSent: false }];
    }
    this.#check();
    return undefined;
  }

  /** Applies inputs again that the text couldn't take before. */
  #applyKept(): void {
    for (const [source, { edits }] of this.#kept) {
      if (edits.length === 0 || this.#edited.document.kind === 'unreadable') continue;
      if (this.#add(source, edits) === undefined) this.#kept.delete(source);
    }
  }

  /** Applies the steps to the text again, up to one that is refused: those after it were made for a text with it. */
  #replay(id: number | undefined, message: string): void {
    let state = this.#received;
    let refused: EditResult | undefined;
    this.#steps = this.#steps.flatMap((step) => {
      const result: EditResult =
        refused ?? (step.id === id ? { kind: 'refused', message } : applyEdits(state, step.edits, specKeys));
      if (result.kind === 'refused') {
        // Only the user sends again what was refused: it may not fit the newer text.
        this.#keep(refused || step.id === id ? { ...step, edits: [] } : step, result.message);
        refused = result;
        return [];
      }
      ({ state } = result);
      return { ...step, state };
    });
    this.#check();
  }

  /**
   * Moves what the YAML view changed to the text that another change made.
   * @returns the step that the other change has overtaken, if any
   */
  #moveSteps(before: string, after: string): number | undefined {
    let other = smallestChange(before, after);
    let text = before;
    let overtaken: number | undefined;
    this.#steps = this.#steps.map((step) => {
      const own = smallestChange(text, step.state.document.text);
      const blanks = trimmedBefore(own, other, text);
      ({ text } = step.state.document);
      const change = movedAfter(own, other);
      other = blanks === '' ? (movedAfter(other, own) ?? other) : { start: 0, end: 0, text: '' };
      if (step.edits[0]?.kind !== 'splice') return step;
      if (change !== undefined) return { ...step, edits: [{ kind: 'splice', ...change, text: blanks + change.text }] };
      overtaken ??= step.id;
      return step;
    });
    return overtaken;
  }

  #keep({ source, edits }: Step, message: string): void {
    if (source === 'yaml') {
      this.#kept.set(source, { edits: [], message, content: { kind: 'yaml', text: this.text } });
    } else {
      // A field of an item doesn't keep its text, so its list shows that as YAML. A button has no text.
      const [key = ''] = source.split('/');
      if (isSpecKey(key)) this.#kept.set(key, { edits, message, content: this.contentOf(key, true) });
    }
  }

  #check(): void {
    const { document } = this.#edited;
    if (document.kind === 'unreadable') return;
    this.#readable = document;
    this.#findings = findingsIn(document, this.#flavor);
  }
}

export function isError({ severity }: FieldFinding): boolean {
  return severity === 'error';
}
