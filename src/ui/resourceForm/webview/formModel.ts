import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../../api/flavor.ts';
import type { NumberKey, SpecKey } from '../../../core/specFields.ts';
import { numberFields, specKeys } from '../../../core/specFields.ts';
import type { SpecFinding } from '../../../core/specFinding.ts';
import type { FieldContent, FieldProblem } from '../../../core/specForm.ts';
import { encodeField, fieldContent } from '../../../core/specForm.ts';
import { LineIndex } from '../../../core/specLines.ts';
import { locateFinding } from '../../../core/specLocate.ts';
import { positionInPart, specPart } from '../../../core/specPart.ts';
import { checkSpec } from '../../../core/specRules.ts';
import type { ReadableSpec, SpecDocument, UnreadableSpec } from '../../../core/specYaml.ts';
import { readSpecText } from '../../../core/specYaml.ts';
import { setSpecKey, sharedMessage } from '../../../core/specYamlEdit.ts';
import type { Draft } from './drafts.ts';

/** Something to say beside a field, with a line and column where the field is YAML. */
export interface FieldNote extends FieldProblem {
  readonly severity: 'error' | 'advice';
}

/** Something to say about the whole text, with its place there. */
export interface TextNote {
  /** The top-level key that it is about, when the text can be read. */
  readonly key?: string;
  readonly severity: 'error' | 'advice';
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** The content of a field that cannot be put into the text yet, and why. */
interface Pending {
  readonly content: FieldContent;
  readonly problems: readonly FieldProblem[];
}

const emptySpec: ReadableSpec = { kind: 'readable', text: '', spec: {}, entries: new Map(), root: undefined };

/**
 * What the form holds: one text, and beside it the drafts of fields whose content cannot be put into the text yet.
 * The text is the truth; form and YAML are two views of it. Knows nothing of the page.
 */
export class FormModel {
  readonly #flavor: FlavorName;
  #document: SpecDocument = emptySpec;
  /** What the fields show while the text cannot be read. */
  #readable: ReadableSpec = emptySpec;
  readonly #drafts = new Map<SpecKey, Pending>();
  #findings: readonly SpecFinding[] = [];

  constructor(text: string, flavor: FlavorName, drafts: readonly Draft[] = []) {
    this.#flavor = flavor;
    this.replaceText(text, drafts);
  }

  get text(): string {
    return this.#document.text;
  }

  get drafts(): Draft[] {
    return [...this.#drafts].map(([key, { content }]) => [key, content]);
  }

  /** The spec as the fields show it. */
  get spec(): ReadableSpec['spec'] {
    return this.#readable.spec;
  }

  /** Why the YAML cannot be read, if so: the fields cannot be edited meanwhile. */
  get unreadable(): UnreadableSpec | undefined {
    return this.#document.kind === 'unreadable' ? this.#document : undefined;
  }

  /** The fields whose drafts are not in the text: the YAML cannot be edited meanwhile. */
  get draftedKeys(): readonly SpecKey[] {
    return specKeys.filter((key) => this.#drafts.has(key));
  }

  /** The fields that keep the spec from being used, in the order of the form. */
  get keysWithErrors(): readonly SpecKey[] {
    return specKeys.filter((key) => this.notesOf(key).some(({ severity }) => severity === 'error'));
  }

  get hasErrors(): boolean {
    return (
      this.unreadable !== undefined ||
      this.draftedKeys.length > 0 ||
      this.textNotes.some((note) => note.severity === 'error')
    );
  }

  /** What a field shows: its draft where there is one. */
  contentOf(key: SpecKey): FieldContent {
    return this.#drafts.get(key)?.content ?? fieldContent(this.#readable, key);
  }

  /** Why one field alone cannot be edited: its value is shared through an alias. */
  lockOf(key: SpecKey): string | undefined {
    const alias = this.#readable.entries.get(key)?.sharedAs;
    return alias === undefined ? undefined : sharedMessage(alias);
  }

  notesOf(key: SpecKey): readonly FieldNote[] {
    const drafted = this.#drafts.get(key);
    if (drafted !== undefined) return drafted.problems.map((problem) => ({ ...problem, severity: 'error' }));
    const found = this.#findings.filter(({ path }) => path[0] === key);
    if (this.contentOf(key).kind !== 'yaml') return found.map(({ severity, message }) => ({ severity, message }));
    const part = specPart(this.#readable, key);
    const lines = new LineIndex(this.#readable.text);
    return found.map((finding): FieldNote => {
      const { line, column } = positionInPart(part, lines.at(locateFinding(this.#readable, finding).start));
      return { severity: finding.severity, message: finding.message, line, column };
    });
  }

  /** What there is to say about the text, for the YAML view. */
  get textNotes(): readonly TextNote[] {
    if (this.#document.kind === 'unreadable') {
      return this.#document.problems.map((problem) => ({ ...problem, severity: 'error' }));
    }
    const document = this.#document;
    const lines = new LineIndex(document.text);
    const notes = this.#findings.map((finding): TextNote => {
      const { start, end } = locateFinding(document, finding);
      const { line, column } = lines.at(start);
      return {
        key: String(finding.path[0]),
        severity: finding.severity,
        message: finding.message,
        start,
        end,
        line,
        column,
      };
    });
    return notes.toSorted((left, right) => left.start - right.start);
  }

  /** Takes over what was typed into a field, or keeps it as a draft with the reason. */
  edit(key: SpecKey, content: FieldContent): void {
    const problems = this.#apply(key, content);
    if (problems.length === 0) this.#drafts.delete(key);
    else this.#drafts.set(key, { content, problems });
  }

  /** Takes over what was typed into the YAML view. Line ends stay as they were in the text. */
  setText(text: string): void {
    const normal = text.replaceAll('\r\n', '\n');
    this.#take(readSpecText(this.#document.text.includes('\r\n') ? normal.replaceAll('\n', '\r\n') : normal));
  }

  /** Puts another text in the place of this one; drafts go with the old text, and others come with the new one. */
  replaceText(text: string, drafts: readonly Draft[] = []): void {
    this.#drafts.clear();
    this.#take(readSpecText(text));
    for (const [key, content] of drafts) this.edit(key, content);
  }

  /**
   * Sets the numbers of a preset and empties every other number; the rest of the text stays.
   * @returns why that was not possible, in words
   */
  applyNumbers(numbers: Partial<Readonly<Record<NumberKey, number>>>): string | undefined {
    if (this.#document.kind === 'unreadable') return l10n.t('Correct the YAML first.');
    const before = this.#document;
    for (const { key } of numberFields) {
      const [problem] = this.#apply(key, { kind: 'text', text: String(numbers[key] ?? '') });
      if (problem !== undefined) {
        this.#take(before);
        return problem.message;
      }
    }
    return undefined;
  }

  #apply(key: SpecKey, content: FieldContent): readonly FieldProblem[] {
    const encoded = encodeField(key, content);
    if (encoded.kind === 'invalid') return encoded.problems;
    if (this.#document.kind === 'unreadable') return [{ message: l10n.t('Correct the YAML first.') }];
    const result = setSpecKey(this.#document, key, encoded.text);
    if (result.kind === 'refused') return [{ message: result.message }];
    this.#take(result.document);
    return [];
  }

  #take(document: SpecDocument): void {
    this.#document = document;
    if (document.kind === 'unreadable') return;
    this.#readable = document;
    this.#findings = checkSpec(document.spec, this.#flavor);
  }
}
