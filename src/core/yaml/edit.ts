import * as l10n from '@vscode/l10n';
import { parseSpecYaml, readSpecText } from './document.ts';
import type { ReadableSpec, SpecDocument } from './document.ts';
import { exchange, renaming, valueChange } from './placement.ts';
import type { FieldText, Replacement } from './placement.ts';
import { isSpecList, isSpecMap, sameSpecValue, valueAt } from './value.ts';
import type { SpecMap, SpecPath, SpecValue } from './value.ts';

/** One change of a text: of the value at a path, of the order of a list, or of any part of the text. */
export type YamlEdit =
  /** Sets a value, or removes it. A list position equal to the list's length appends an item. */
  | { readonly kind: 'set'; readonly path: SpecPath; readonly value?: FieldText | undefined }
  /** Gives a key another name, also one that makes the text unreadable, such as one that is there already. */
  | { readonly kind: 'rename'; readonly path: SpecPath; readonly name: string }
  /** Exchanges a list item with the next one. */
  | { readonly kind: 'swap'; readonly path: SpecPath; readonly index: number }
  | ({ readonly kind: 'splice' } & Replacement);

/** A change of what is at a path. A position in a list may be that of another item in another text. */
export type PathEdit = Exclude<YamlEdit, { readonly kind: 'splice' }>;

/** The most edits that one change makes of its parts. Each reads the text again, so a larger one writes the whole value. */
export const mostSingleEdits = 20;

/** A text while it is being edited. */
export interface EditedText {
  readonly document: SpecDocument;
  /** If a value that can't be read was written as typed: the text before it, and the value's place. */
  readonly before?: { readonly document: ReadableSpec; readonly path: SpecPath };
}

export type EditResult =
  | { readonly kind: 'edited'; readonly state: EditedText }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Applies edits to a text, all or none.
 * Changes no other value, and no other line than needed. A value that can't be read is written as typed; the next edit of
 * the same place is then applied to the text before it.
 * @param order the keys in the order of a new document, those of a map with its key before them, such as "resources/cpu"
 */
export function applyEdits(state: EditedText, edits: readonly YamlEdit[], order: readonly string[]): EditResult {
  let edited: EditResult = { kind: 'edited', state };
  for (const edit of edits) if (edited.kind === 'edited') edited = applyEdit(edited.state, edit, order);
  const before = edited.kind === 'edited' ? edited.state.before : undefined;
  const first = state.before?.document ?? state.document;
  // All edits of a place that can't be read at the end are undone with the next edit of it.
  const isOnePlace = edits.every((edit) => edit.kind !== 'splice' && edit.path[0] === before?.path[0]);
  if (edited.kind === 'refused' || before?.path.length !== 1 || first.kind === 'unreadable' || !isOnePlace)
    return edited;
  return { kind: 'edited', state: { ...edited.state, before: { ...before, document: first } } };
}

function applyEdit(state: EditedText, edit: YamlEdit, order: readonly string[]): EditResult {
  if (edit.kind === 'splice') {
    return { kind: 'edited', state: { document: readSpecText(replaced(state.document.text, edit)) } };
  }
  const { before } = state;
  const isSamePlace = before?.path.every((step, index) => step === edit.path[index]) === true;
  const document = isSamePlace ? before.document : state.document;
  if (document.kind === 'unreadable') return refused(l10n.t('Correct the YAML first.'));
  const alias = document.shared.get(String(edit.path[0]));
  if (alias !== undefined) return refused(sharedMessage(alias));
  const isGone = edit.kind === 'set' && edit.value === undefined && valueAt(document.spec, edit.path) === undefined;
  if (isGone) return { kind: 'edited', state: { document } };
  const wanted = edit.kind === 'set' && edit.value !== undefined ? parseSpecYaml(`${edit.value.text}\n`) : undefined;
  const change = changeOf(document, edit, order);
  if (change === undefined) return refused(unusualMessage(edit.path));
  const result = readSpecText(replaced(document.text, change));
  if (edit.kind === 'rename' && result.kind === 'unreadable') {
    return { kind: 'edited', state: { document: result, before: { document, path: edit.path.slice(0, 1) } } };
  }
  if (wanted?.kind === 'unreadable') {
    const broken = result.kind === 'unreadable' ? result : { ...wanted, text: result.text };
    return { kind: 'edited', state: { document: broken, before: { document, path: edit.path } } };
  }
  const expected = expectedOf(document.spec, edit, wanted?.value);
  if (result.kind === 'unreadable' || !sameSpecValue(result.spec, expected)) return refused(unusualMessage(edit.path));
  return { kind: 'edited', state: { document: result } };
}

function changeOf(document: ReadableSpec, edit: PathEdit, order: readonly string[]): Replacement | undefined {
  if (edit.kind === 'swap') return exchange(document, edit.path, edit.index);
  if (edit.kind === 'rename') return renaming(document, edit.path, edit.name);
  return valueChange(document, edit.path, edit.value, order);
}

function expectedOf(spec: SpecMap, edit: PathEdit, value: SpecValue | undefined): SpecValue | undefined {
  const { path } = edit;
  const former = valueAt(spec, path);
  if (edit.kind === 'swap') return withValue(spec, path, exchanged(former, edit.index));
  if (edit.kind === 'rename')
    return withValue(withValue(spec, path, undefined), [...path.slice(0, -1), edit.name], former);
  return withValue(spec, path, value);
}

export function sharedMessage(alias: string): string {
  return l10n.t('This value is shared through the alias "{0}". Edit it in the YAML.', alias);
}

function unusualMessage(path: SpecPath): string {
  const key = String(path[0]);
  return l10n.t('The form can\'t change "{0}" without changing other parts of the YAML. Edit it in the YAML.', key);
}

function refused(message: string): EditResult {
  return { kind: 'refused', message };
}

function replaced(text: string, { start, end, text: inserted }: Replacement): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** The smallest single change from one text to another. Cuts neither line breaks nor characters in two. */
export function smallestChange(before: string, after: string): Replacement {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (/[\r\uD800-\uDBFF]/.test(before[start - 1] ?? '')) start -= 1;
  let same = 0;
  while (same < most - start && before.at(-same - 1) === after.at(-same - 1)) same += 1;
  if (same > 0 && /[\n\uDC00-\uDFFF]/.test(before.at(-same) ?? '')) same -= 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Moves a change to the text that another change made. Undefined if both concern the same part. */
export function movedAfter(change: Replacement, other: Replacement): Replacement | undefined {
  if (change.end <= other.start) return change;
  const shift = other.text.length - (other.end - other.start);
  return change.start < other.end ? undefined : { ...change, start: change.start + shift, end: change.end + shift };
}

/**
 * The blanks just before typed text that another change of the same text removed, as a save does while somebody types the
 * next word. Empty if it removed anything else.
 */
export function trimmedBefore(typed: Replacement, other: Replacement, text: string): string {
  const isBefore = other.text === '' && other.end === typed.start && /^\S/.test(typed.text);
  const removed = isBefore ? text.slice(other.start, other.end) : '';
  return removed.trim() === '' && !removed.includes('\n') ? removed : '';
}

/** The value that a change by path makes of another one. An empty list or map stays. */
function withValue(
  container: SpecValue | undefined,
  path: SpecPath,
  value: SpecValue | undefined,
): SpecValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const items = isSpecList(container) ? container : [];
    const item = withValue(items[step], rest, value);
    return item === undefined ? items.toSpliced(step, 1) : items.toSpliced(step, 1, item);
  }
  const { [step]: former, ...others } = isSpecMap(container) ? container : {};
  const member = withValue(former, rest, value);
  return member === undefined ? others : { ...others, [step]: member };
}

function exchanged(items: SpecValue | undefined, index: number): SpecValue | undefined {
  return isSpecList(items) ? items.toSpliced(index, 2, ...items.slice(index, index + 2).toReversed()) : undefined;
}
