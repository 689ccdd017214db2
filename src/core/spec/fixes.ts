import * as l10n from '@vscode/l10n';
import { isScalar, visit } from 'yaml';
import { nearestNames } from '../text/nearest.ts';
import { composeYaml, scalarKey, specYamlOptions } from '../yaml/document.ts';
import type { ReadableSpec, SpecDocument, TextFinding } from '../yaml/document.ts';
import { removal, renaming, type Replacement, valueChange } from '../yaml/placement.ts';
import { isSpecMap, type SpecPath, valueAt } from '../yaml/value.ts';
import { fieldsBelow } from './cursor.ts';
import { isNumberKey, isSpecKey, placeOf } from './fields.ts';
import { numberMeant, numberProblem } from './numbers.ts';

/** A correction of a finding that the user can choose. */
export interface Fix {
  readonly title: string;
  readonly change: Replacement;
}

/**
 * The corrections of a finding: of an unknown key, of an amount with a unit or in quotes, and of a key that is there twice.
 * @param parents the path in the document that leads to the spec
 */
export function fixesOf(
  document: SpecDocument,
  { severity, start, path = [] }: FixableFinding,
  parents: SpecPath = [],
): readonly Fix[] {
  if (severity !== 'error') return [];
  if (document.kind === 'unreadable') return duplicateFixes(document.text, start);
  return [...keyFixes(document, path, parents), ...numberFixes(document, path, parents)];
}

interface FixableFinding extends Pick<TextFinding, 'start' | 'path'> {
  readonly severity: 'error' | 'warning' | 'info';
}

/** Replaces a key that isn't known by the known keys that look most like it. */
function keyFixes(document: ReadableSpec, path: SpecPath, parents: SpecPath): readonly Fix[] {
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  const before = path.slice(parents.length, -1);
  const known = Object.keys(fieldsBelow(before.filter((step) => typeof step === 'string')));
  if (known.length === 0 || known.includes(key)) return [];
  const siblings = valueAt(document.spec, path.slice(0, -1));
  const free = known.filter((name) => !(isSpecMap(siblings) && Object.hasOwn(siblings, name)));
  return renames(document, path, nearestNames(key, free));
}

/** Gives a key one of several other names. */
export function renames(document: ReadableSpec, path: SpecPath, names: readonly string[]): readonly Fix[] {
  return names.flatMap((name) => fix(l10n.t('Change to "{0}"', name), renaming(document, path, name)));
}

/** Writes another value where the path has one. Merged values are somewhere else. */
export function valueFix(document: ReadableSpec, path: SpecPath, title: string, text: string): readonly Fix[] {
  const hasOwn = document.root?.hasIn(path) === true;
  return hasOwn ? fix(title, valueChange(document, path, { style: 'inline', text }, [])) : [];
}

function fix(title: string, change: Replacement | undefined): readonly Fix[] {
  return change === undefined ? [] : [{ title, change }];
}

/** Writes the number that a text means in the field's unit, such as 4096 for "4Gi". */
function numberFixes(document: ReadableSpec, path: SpecPath, parents: SpecPath): readonly Fix[] {
  const [key, ...below] = path.slice(parents.length);
  const value = valueAt(document.spec, path);
  if (below.length > 0 || typeof key !== 'string' || !isSpecKey(key) || !isNumberKey(key)) return [];
  const field = placeOf(key);
  const meant = typeof value === 'string' ? numberMeant(field.role, value) : undefined;
  const isUsable = meant !== undefined && numberProblem(field, meant) === undefined;
  return !isUsable ? [] : valueFix(document, path, l10n.t('Change to {0}', meant), String(meant));
}

/** Removes a key with its value if the map has had it before. */
function duplicateFixes(text: string, start: number): readonly Fix[] {
  const document = composeYaml(text, specYamlOptions);
  const fixes: Fix[] = [];
  if (document === undefined) return fixes;
  visit(document, {
    Map: (_key, map) => {
      const keys = map.items.map(({ key }) => (isScalar(key) ? scalarKey(key) : undefined));
      const index = map.items.findIndex(({ key }) => isScalar(key) && key.range?.[0] === start);
      const name = keys[index];
      if (name === undefined || keys.indexOf(name) === index) return undefined;
      fixes.push(...fix(l10n.t('Remove this "{0}"', name), removal(text, map, index)));
      return visit.BREAK;
    },
  });
  return fixes;
}
