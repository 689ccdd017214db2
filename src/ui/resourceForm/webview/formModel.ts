import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../../api/flavor.ts';
import { isSpecKey, numberFields, specKeys } from '../../../core/spec/fields.ts';
import type { NumberKey, SpecKey } from '../../../core/spec/fields.ts';
import type { FieldFinding } from '../../../core/spec/findings.ts';
import { encodeField, fieldContent } from '../../../core/spec/form.ts';
import type { FieldContent } from '../../../core/spec/form.ts';
import { findingsIn } from '../../../core/spec/rules.ts';
import type { SpecMap } from '../../../core/yaml/value.ts';
import { emptySpec, readSpecText } from '../../../core/yaml/document.ts';
import type { ReadableSpec, SpecDocument, TextFinding, UnreadableSpec } from '../../../core/yaml/document.ts';
import { setSpecKey, sharedMessage } from '../../../core/spec/edit.ts';
import { positionInPart, specPart } from '../../../core/spec/part.ts';
import type { Draft } from '../protocol.ts';

interface Pending {
  readonly content: FieldContent;
  readonly findings: readonly FieldFinding[];
}

/**
 * The content of the form: one text, and drafts of fields that can't be put into the text yet.
 * The text is the source of truth; form and YAML are two views of it. The model knows nothing of the page.
 */
export class FormModel {
  readonly #flavor: FlavorName;
  readonly #drafts = new Map<SpecKey, Pending>();
  #document: SpecDocument = emptySpec;
  /** The last readable document, which the fields show while the text can't be read. */
  #readable: ReadableSpec = emptySpec;
  #findings: readonly TextFinding[] = [];

  constructor(text: string, flavor: FlavorName, drafts: readonly Draft[] = []) {
    this.#flavor = flavor;
    this.replaceText(text, drafts);
  }

  get text(): string {
    return this.#document.text;
  }

  get drafts(): readonly Draft[] {
    return [...this.#drafts].map(([key, { content }]) => ({ key, content }));
  }

  /** The spec as the fields show it. */
  get spec(): SpecMap {
    return this.#readable.spec;
  }

  /** Why the YAML can't be read, if so. Until it can, the fields are locked. */
  get unreadable(): UnreadableSpec | undefined {
    return this.#document.kind === 'unreadable' ? this.#document : undefined;
  }

  /** The fields whose drafts aren't in the text. While there are any, the YAML is locked. */
  get draftedKeys(): readonly SpecKey[] {
    return specKeys.filter((key) => this.#drafts.has(key));
  }

  /** The fields whose errors keep the spec from being used, in the order of the form. */
  get keysWithErrors(): readonly SpecKey[] {
    return specKeys.filter((key) => this.findingsOf(key).some(isError));
  }

  get hasErrors(): boolean {
    return this.#drafts.size > 0 || this.textFindings.some(isError);
  }

  get textFindings(): readonly TextFinding[] {
    return this.unreadable?.findings ?? this.#findings;
  }

  /** A field's draft if it has one, otherwise its value in the text. */
  contentOf(key: SpecKey): FieldContent {
    return this.#drafts.get(key)?.content ?? fieldContent(this.#readable, key);
  }

  /** Why a single field can't be edited: an alias shares its value. */
  lockOf(key: SpecKey): string | undefined {
    const alias = this.#readable.entries.get(key)?.sharedAs;
    return alias === undefined ? undefined : sharedMessage(alias);
  }

  findingsOf(key: SpecKey): readonly FieldFinding[] {
    const drafted = this.#drafts.get(key);
    if (drafted !== undefined) return drafted.findings;
    const found = this.#findings.filter((finding) => finding.key === key);
    if (found.length === 0 || this.contentOf(key).kind !== 'yaml') {
      return found.map(({ severity, message }) => ({ severity, message }));
    }
    const part = specPart(this.#readable, key);
    return found.map((finding) => ({ ...finding, ...positionInPart(part, finding) }));
  }

  /** Applies a field's input, or keeps it as a draft with the reason. */
  edit(key: SpecKey, content: FieldContent): void {
    const findings = this.#apply(key, content);
    if (findings.length === 0) this.#drafts.delete(key);
    else this.#drafts.set(key, { content, findings });
  }

  /** Applies input from the YAML view. Keeps the line endings of the text. */
  setText(text: string): void {
    const normal = text.replaceAll('\r\n', '\n');
    this.#take(readSpecText(this.text.includes('\r\n') ? normal.replaceAll('\n', '\r\n') : normal));
  }

  /** Replaces the text and all drafts. Ignores drafts of unknown fields. */
  replaceText(text: string, drafts: readonly Draft[] = []): void {
    this.#drafts.clear();
    this.#take(readSpecText(text));
    for (const { key, content } of drafts) if (isSpecKey(key)) this.edit(key, content);
  }

  /**
   * Sets the numbers of a preset and clears all other numbers; the rest of the text stays.
   * @returns a message with the reason if that isn't possible
   */
  applyNumbers(numbers: Partial<Readonly<Record<NumberKey, number>>>): string | undefined {
    const before = this.#document;
    for (const { key } of numberFields) {
      const [finding] = this.#apply(key, { kind: 'text', text: String(numbers[key] ?? '') });
      if (finding !== undefined) {
        this.#take(before);
        return finding.message;
      }
    }
    return undefined;
  }

  #apply(key: SpecKey, content: FieldContent): readonly FieldFinding[] {
    const encoded = encodeField(key, content);
    if (encoded.kind === 'invalid') return encoded.findings;
    if (this.#document.kind === 'unreadable') {
      return [{ severity: 'error', message: l10n.t('Correct the YAML first.') }];
    }
    const result = setSpecKey(this.#document, key, encoded.text);
    if (result.kind === 'refused') return [{ severity: 'error', message: result.message }];
    this.#take(result.document);
    return [];
  }

  #take(document: SpecDocument): void {
    this.#document = document;
    if (document.kind === 'unreadable') return;
    this.#readable = document;
    this.#findings = findingsIn(document, this.#flavor);
  }
}

export function isError({ severity }: FieldFinding): boolean {
  return severity === 'error';
}
