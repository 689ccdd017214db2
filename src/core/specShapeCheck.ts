import * as l10n from '@vscode/l10n';
import { shortened } from './shortened.ts';
import type { Findings } from './specFinding.ts';
import type { RecordShape, Shape } from './specShapes.ts';
import type { SpecMap, SpecPath, SpecValue } from './specValue.ts';
import { isAbsent, isSpecList, isSpecMap } from './specValue.ts';

/** Says in words where a value differs from its shape. Null equals absent. */
export function checkShape(value: SpecValue | undefined, shape: Shape, path: SpecPath, findings: Findings): void {
  if (isAbsent(value) || findings.isFull) return;
  if (shape.kind === 'list' && isSpecList(value)) {
    for (const [index, item] of value.entries()) checkItem(item, shape.item, [...path, index], findings);
  } else if (shape.kind === 'record' && isSpecMap(value)) {
    checkRecord(value, shape, path, findings);
  } else {
    const problem = kindProblem(value, shape);
    if (problem !== undefined) findings.error(path, problem);
    else if (shape.kind === 'text' && typeof value === 'string') adviseText(value, shape.values, path, findings);
  }
}

/** Why a value is not of the kind that belongs here, in words. */
function kindProblem(value: SpecValue, shape: Shape): string | undefined {
  const kind = kindWords(value);
  switch (shape.kind) {
    case 'text':
      if (typeof value === 'string') return undefined;
      return typeof value === 'object'
        ? l10n.t('This must be text, not {0}.', kind)
        : l10n.t('This must be text. Put it in quotes: "{0}".', String(value));
    case 'flag':
      return typeof value === 'boolean' ? undefined : l10n.t('Write true or false here, not {0}.', kind);
    case 'freeForm':
      return isSpecMap(value) ? undefined : l10n.t('Write keys and values here, not {0}.', kind);
    case 'list':
      return l10n.t('Write a list here (lines that begin with "- "), not {0}.', kind);
    case 'record':
      return l10n.t('Write the fields of {0} here, not {1}.', shape.noun(), kind);
  }
}

function checkItem(item: SpecValue, shape: Shape, path: SpecPath, findings: Findings): void {
  if (item === null) findings.error(path, l10n.t('This list item is empty. Fill it or remove the line.'));
  else checkShape(item, shape, path, findings);
}

function adviseText(value: string, usual: readonly string[] | undefined, path: SpecPath, findings: Findings): void {
  if (usual === undefined || usual.includes(value)) return;
  findings.advice(path, l10n.t('"{0}" is unusual here. Kubernetes knows {1}.', shortened(value), usual.join(', ')));
}

function checkRecord(value: SpecMap, shape: RecordShape, path: SpecPath, findings: Findings): void {
  for (const [key, member] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (field === undefined) {
      const known = Object.keys(shape.fields).join(', ');
      findings.error(
        [...path, key],
        l10n.t('"{0}" is not a field of {1} in this service. It has {2}.', shortened(key), shape.noun(), known),
        'key',
      );
    } else {
      checkShape(member, field, [...path, key], findings);
    }
  }
  for (const key of shape.needed) {
    if (isAbsent(value[key]) || value[key] === '') {
      findings.error(path, l10n.t('The field "{0}" of {1} is missing.', key, shape.noun()));
    }
  }
  const { oneOf } = shape;
  if (oneOf.length === 0) return;
  const present = oneOf.filter((choice) => !isAbsent(value[choice]));
  if (present.length === 0) {
    findings.error(path, l10n.t('Say what this is: {0} needs one of {1}.', shape.noun(), oneOf.join(', ')));
  } else if (present.length > 1) {
    const message = l10n.t('Keep only one of {0}: {1} is one thing at a time.', present.join(', '), shape.noun());
    findings.error(path, message);
  }
}

/** Names the kind of a value; its content may be a secret and is not repeated. */
function kindWords(value: SpecValue): string {
  if (isSpecList(value)) return l10n.t('a list');
  if (isSpecMap(value)) return l10n.t('keys and values');
  if (typeof value === 'number') return l10n.t('a number');
  if (typeof value === 'boolean') return l10n.t('true or false');
  return l10n.t('text');
}
