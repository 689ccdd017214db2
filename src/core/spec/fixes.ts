import * as l10n from '@vscode/l10n';
import { isScalar, visit } from 'yaml';
import { nearestNames } from '../text/nearest.ts';
import { composeYaml, scalarKey, specYamlOptions, type SpecDocument, type TextFinding } from '../yaml/document.ts';
import { removal, type Replacement } from '../yaml/placement.ts';
import { isSpecMap, type SpecPath, type SpecValue, valueAt } from '../yaml/value.ts';
import { fieldsBelow } from './cursor.ts';
import { isNumberKey, isSpecKey, placeOf } from './fields.ts';
import { numberMeant } from './numbers.ts';

/** A correction of a finding that the user can choose. */
export interface Fix {
  readonly title: string;
  readonly change: Replacement;
}

/** The corrections of a finding: of an unknown key, of an amount with a unit or in quotes, and of a key that is there twice. */
export function fixesOf(document: SpecDocument, finding: TextFinding): readonly Fix[] {
  if (finding.severity !== 'error') return [];
  if (document.kind === 'unreadable') return duplicateFixes(document.text, finding);
  const { path = [] } = finding;
  return [...keyFixes(document.spec, path, finding), ...numberFixes(document.spec, path, finding)];
}

/** Replaces a key that isn't known by the known keys that look most like it. */
function keyFixes(spec: SpecValue, path: SpecPath, { start, end }: TextFinding): readonly Fix[] {
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  const parents = path.slice(0, -1);
  const known = Object.keys(fieldsBelow(parents.filter((step) => typeof step === 'string')));
  if (known.length === 0 || known.includes(key)) return [];
  const siblings = valueAt(spec, parents);
  const free = known.filter((name) => !(isSpecMap(siblings) && Object.hasOwn(siblings, name)));
  return nearestNames(key, free).map((name) => ({
    title: l10n.t('Change to "{0}"', name),
    change: { start, end, text: name },
  }));
}

/** Writes the number that a text means in the field's unit, such as 4096 for "4Gi". */
function numberFixes(spec: SpecValue, path: SpecPath, { start, end }: TextFinding): readonly Fix[] {
  const [key] = path;
  const value = valueAt(spec, path);
  if (path.length !== 1 || typeof key !== 'string' || !isSpecKey(key) || !isNumberKey(key)) return [];
  const meant = typeof value === 'string' ? numberMeant(placeOf(key).role, value) : undefined;
  if (meant === undefined) return [];
  return [{ title: l10n.t('Change to {0}', meant), change: { start, end, text: String(meant) } }];
}

/** Removes a key with its value if the map has had it before. */
function duplicateFixes(text: string, { start }: TextFinding): readonly Fix[] {
  const document = composeYaml(text, specYamlOptions);
  const fixes: Fix[] = [];
  if (document === undefined) return fixes;
  visit(document, {
    Map: (_key, map) => {
      const keys = map.items.map(({ key }) => (isScalar(key) ? scalarKey(key) : undefined));
      const index = map.items.findIndex(({ key }) => isScalar(key) && key.range?.[0] === start);
      const name = keys[index];
      if (name === undefined || keys.indexOf(name) === index) return undefined;
      const change = removal(text, map, index);
      if (change !== undefined) fixes.push({ title: l10n.t('Remove this "{0}"', name), change });
      return visit.BREAK;
    },
  });
  return fixes;
}
