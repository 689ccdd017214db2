import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../../api/flavor.ts';
import { isSpecKey, numberFields, specKeys } from '../../../core/spec/fields.ts';
import type { NumberKey, SpecKey } from '../../../core/spec/fields.ts';
import { encodeField, fieldContent } from '../../../core/spec/form.ts';
import type { FieldContent, FieldProblem } from '../../../core/spec/form.ts';
import { locateFinding } from '../../../core/spec/locate.ts';
import { checkSpec } from '../../../core/spec/rules.ts';
import type { SpecMap } from '../../../core/spec/value.ts';
import { emptySpec, readSpecText } from '../../../core/spec/yaml/document.ts';
import type { ReadableSpec, SpecDocument, UnreadableSpec } from '../../../core/spec/yaml/document.ts';
import { setSpecKey, sharedMessage } from '../../../core/spec/yaml/edit.ts';
import { positionInPart, specPart } from '../../../core/spec/yaml/part.ts';
import type { Draft } from '../protocol.ts';

/** A message beside a field, with a line and column if the field is YAML. */
export interface FieldNote extends FieldProblem {
  readonly severity: 'error' | 'advice';
}

/** A message about the whole text, with its position. */
export interface TextNote {
  /** The top-level key that it is about, if the text can be read. */
  readonly key?: string;
  readonly severity: 'error' | 'advice';
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
}

/** The content of a field that can't be put into the text yet, and why. */
interface Pending {
  readonly content: FieldContent;
  readonly problems: readonly FieldProblem[];
}

/**
 * The content of the form: one text, and drafts of fields that can't be put into the text yet.
 * The text is the source of truth; form and YAML are two views of it. The model knows nothing of the page.
 */
export interface FormModel {
  readonly text: string;
  readonly drafts: readonly Draft[];
  /** The spec as the fields show it. */
  readonly spec: SpecMap;
  /** Why the YAML can't be read, if so. Until it can, the fields are locked. */
  readonly unreadable: UnreadableSpec | undefined;
  /** The fields whose drafts aren't in the text. While there are any, the YAML is locked. */
  readonly draftedKeys: readonly SpecKey[];
  /** The fields whose errors keep the spec from being used, in the order of the form. */
  readonly keysWithErrors: readonly SpecKey[];
  readonly hasErrors: boolean;
  /** The messages about the text, for the YAML view. */
  readonly textNotes: readonly TextNote[];
  /** A field's draft if it has one, otherwise its value in the text. */
  readonly contentOf: (key: SpecKey) => FieldContent;
  /** Why a single field can't be edited: an alias shares its value. */
  readonly lockOf: (key: SpecKey) => string | undefined;
  /** The messages about a field. */
  readonly notesOf: (key: SpecKey) => readonly FieldNote[];
  /** Applies a field's input, or keeps it as a draft with the reason. */
  readonly edit: (key: SpecKey, content: FieldContent) => void;
  /** Applies input from the YAML view. Keeps the line endings of the text. */
  readonly setText: (text: string) => void;
  /** Replaces the text and all drafts. Ignores drafts of unknown fields. */
  readonly replaceText: (text: string, drafts?: readonly Draft[]) => void;
  /**
   * Sets the numbers of a preset and clears all other numbers; the rest of the text stays.
   * @returns a message with the reason if that isn't possible
   */
  readonly applyNumbers: (numbers: Partial<Readonly<Record<NumberKey, number>>>) => string | undefined;
}

export function formModel(initialText: string, flavor: FlavorName, initialDrafts: readonly Draft[] = []): FormModel {
  let document: SpecDocument = emptySpec;
  /** The last readable document, which the fields show while the text can't be read. */
  let readable: ReadableSpec = emptySpec;
  /** The messages about that document. */
  let notes: readonly TextNote[] = [];
  const drafts = new Map<SpecKey, Pending>();

  const take = (wanted: SpecDocument): void => {
    document = wanted;
    if (wanted.kind === 'unreadable') return;
    readable = wanted;
    notes = checkSpec(wanted.spec, flavor)
      .map((finding): TextNote => {
        const { severity, message, path } = finding;
        const place = locateFinding(wanted, finding);
        return { key: String(path[0]), severity, message, ...place, ...wanted.positionAt(place.start) };
      })
      .toSorted((left, right) => left.start - right.start);
  };

  const apply = (key: SpecKey, content: FieldContent): readonly FieldProblem[] => {
    const encoded = encodeField(key, content);
    if (encoded.kind === 'invalid') return encoded.problems;
    if (document.kind === 'unreadable') return [{ message: l10n.t('Correct the YAML first.') }];
    const result = setSpecKey(document, key, encoded.text);
    if (result.kind === 'refused') return [{ message: result.message }];
    take(result.document);
    return [];
  };

  const model: FormModel = {
    get text() {
      return document.text;
    },
    get drafts() {
      return [...drafts].map(([key, { content }]) => ({ key, content }));
    },
    get spec() {
      return readable.spec;
    },
    get unreadable() {
      return document.kind === 'unreadable' ? document : undefined;
    },
    get draftedKeys() {
      return specKeys.filter((key) => drafts.has(key));
    },
    get keysWithErrors() {
      return specKeys.filter((key) => model.notesOf(key).some(isError));
    },
    get hasErrors() {
      return drafts.size > 0 || model.textNotes.some(isError);
    },
    get textNotes() {
      if (document.kind === 'readable') return notes;
      return document.problems.map(asError);
    },
    contentOf: (key) => drafts.get(key)?.content ?? fieldContent(readable, key),
    lockOf: (key) => {
      const alias = readable.entries.get(key)?.sharedAs;
      return alias === undefined ? undefined : sharedMessage(alias);
    },
    notesOf: (key) => {
      const drafted = drafts.get(key);
      if (drafted !== undefined) return drafted.problems.map(asError);
      const found = notes.filter((note) => note.key === key);
      if (found.length === 0 || model.contentOf(key).kind !== 'yaml') {
        return found.map(({ severity, message }) => ({ severity, message }));
      }
      const part = specPart(readable, key);
      return found.map((note) => ({ ...note, ...positionInPart(part, note) }));
    },
    edit: (key, content) => {
      const problems = apply(key, content);
      if (problems.length === 0) drafts.delete(key);
      else drafts.set(key, { content, problems });
    },
    setText: (text) => {
      const normal = text.replaceAll('\r\n', '\n');
      take(readSpecText(document.text.includes('\r\n') ? normal.replaceAll('\n', '\r\n') : normal));
    },
    replaceText: (text, newDrafts = []) => {
      drafts.clear();
      take(readSpecText(text));
      for (const { key, content } of newDrafts) if (isSpecKey(key)) model.edit(key, content);
    },
    applyNumbers: (numbers) => {
      const before = document;
      for (const { key } of numberFields) {
        const [problem] = apply(key, { kind: 'text', text: String(numbers[key] ?? '') });
        if (problem !== undefined) {
          take(before);
          return problem.message;
        }
      }
      return undefined;
    },
  };
  model.replaceText(initialText, initialDrafts);
  return model;
}

function asError<Problem>(problem: Problem): Problem & { readonly severity: 'error' } {
  return { ...problem, severity: 'error' };
}

/** Whether a note keeps the spec from being used. */
export function isError({ severity }: FieldNote): boolean {
  return severity === 'error';
}
