import { mostSingleEdits, type YamlEdit } from '../yaml/edit.ts';
import { scalarText } from '../yaml/placement.ts';
import type { FieldText } from '../yaml/placement.ts';
import type { SpecKey } from './fields.ts';

export interface NameAndValue {
  readonly name: string;
  readonly value: string;
}

type Rows = readonly NameAndValue[];

/** The edits that make rows of others, of a map or of a list of names. Undefined if all are to be written again. */
export function rowEdits(key: SpecKey, isMap: boolean, present: Rows, wanted: Rows): readonly YamlEdit[] | undefined {
  const formers = present.length === 0 || wanted.length === 0 ? undefined : formersOf(present, wanted);
  const edits = formers && (isMap ? mapEdits : listEdits)(key, present, wanted, formers);
  return edits !== undefined && edits.length > mostSingleEdits ? undefined : edits;
}

/**
 * Finds for each wanted row the position of the row that it was: the one with its name, else the next one in order.
 * New rows, at the end, have none. Undefined if rows came elsewhere or changed their order.
 */
function formersOf(present: Rows, wanted: Rows): readonly (number | undefined)[] | undefined {
  const formers = wanted.map(({ name }, index) => (present[index]?.name === name ? index : undefined));
  const free = new Map(
    [...present.entries()]
      .filter(([index]) => formers[index] === undefined)
      .toReversed()
      .map(([index, { name }]) => [name, index]),
  );
  for (const [position, { name }] of wanted.entries()) {
    if (formers[position] !== undefined) continue;
    formers[position] = free.get(name);
    free.delete(name);
  }
  // A row without a former is one of those before the former of the next row that has one.
  const limits: number[] = [];
  for (let position = formers.length - 1; position >= 0; position -= 1) {
    limits[position] = formers[position] ?? limits[position + 1] ?? present.length;
  }
  let next = 0;
  for (const [position, index] of formers.entries()) {
    const limit = limits[position] ?? present.length;
    const isNew = index === undefined && next >= limit;
    if (limit < next || (isNew && limit < present.length)) return undefined;
    formers[position] = isNew ? undefined : (index ?? next);
    next = (formers[position] ?? next) + 1;
  }
  return formers;
}

function mapEdits(
  key: SpecKey,
  present: Rows,
  wanted: Rows,
  formers: readonly (number | undefined)[],
): readonly YamlEdit[] | undefined {
  const kept = new Set(formers);
  const removed = present.filter((_row, index) => !kept.has(index));
  const keptNames = new Set(present.filter((_row, index) => kept.has(index)).map(({ name }) => name));
  const refused = new Set<string>(['', '__proto__']);
  const seen = new Set<string>();
  for (const { name } of wanted) (seen.has(name) ? refused : seen).add(name);
  const set = (name: string, value?: string): YamlEdit => ({
    kind: 'set',
    path: [key, name],
    value: value === undefined ? undefined : inline(value),
  });
  const rename = (from: string, name: string): YamlEdit => ({ kind: 'rename', path: [key, from], name });
  const values: YamlEdit[] = [];
  const renames: YamlEdit[] = [];
  const added: YamlEdit[] = [];
  // A name that is there already, or missing, is written for its error, at last: the text can't be read then.
  const wrong: YamlEdit[][] = [];
  const unused = 'x'.repeat(
    1 + [...present, ...wanted].reduce((longest, { name }) => Math.max(longest, name.length), 0),
  );
  for (const [index, { name, value }] of wanted.entries()) {
    const former = present[formers[index] ?? -1];
    const isWrong = refused.has(name);
    if (former !== undefined && value !== former.value) values.push(set(former.name, value));
    if (name === former?.name) continue;
    if (former === undefined) {
      if (isWrong) wrong.push([set(unused, value), rename(unused, name)]);
      else added.push(set(name, value));
    } else if (isWrong) {
      wrong.push([rename(former.name, name)]);
    } else if (keptNames.has(name)) {
      return undefined;
    } else {
      renames.push(rename(former.name, name));
    }
  }
  if (wrong.length > 1) return undefined;
  const edits = [...values, ...removed.map(({ name }) => set(name)), ...renames, ...added, ...wrong.flat()];
  const [{ name: first } = { name: '' }] = present;
  // Without a change, the rows take the place of what could not be read meanwhile.
  return edits.length > 0 ? edits : [rename(first, first)];
}

function listEdits(
  key: SpecKey,
  present: Rows,
  wanted: Rows,
  formers: readonly (number | undefined)[],
): readonly YamlEdit[] {
  const changed = wanted.flatMap(({ name }, index): YamlEdit[] => {
    const former = formers[index];
    if (former === undefined || name === present[former]?.name) return [];
    return [{ kind: 'set', path: [key, former, 'name'], value: inline(name) }];
  });
  const kept = new Set(formers);
  const gone = [...present.keys()].filter((index) => !kept.has(index)).toReversed();
  const removals = gone.map((index): YamlEdit => ({ kind: 'set', path: [key, index] }));
  const added = wanted.flatMap(({ name }, index): YamlEdit[] => {
    const value: FieldText = { style: 'block', text: `name: ${scalarText(name)}` };
    return formers[index] === undefined ? [{ kind: 'set', path: [key, index], value }] : [];
  });
  return [...changed, ...removals, ...added];
}

function inline(text: string): FieldText {
  return { style: 'inline', text: scalarText(text) };
}
