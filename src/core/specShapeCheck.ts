import * as l10n from '@vscode/l10n';
import type { Findings } from './specFinding.ts';
import type { RecordShape, Shape } from './specShapes.ts';
import type { SpecMap, SpecPath, SpecValue } from './specValue.ts';
import { isAbsent, isSpecList, isSpecMap } from './specValue.ts';

/** Says in words where a value differs from its shape. Null equals absent. */
export function checkShape(value: SpecValue | undefined, shape: Shape, path: SpecPath, findings: Findings): void {
  if (isAbsent(value) || findings.isFull) return;
  switch (shape.kind) {
    case 'text':
      return checkText(value, shape.values, path, findings);
    case 'flag':
      if (typeof value !== 'boolean') findings.error(path, l10n.t('Write true or false here, not {0}.', shown(value)));
      return;
    case 'freeForm':
      if (!isSpecMap(value)) findings.error(path, l10n.t('Write keys and values here, not {0}.', shown(value)));
      return;
    case 'list':
      if (!isSpecList(value)) {
        findings.error(path, l10n.t('Write a list here (lines that begin with "- "), not {0}.', shown(value)));
        return;
      }
      for (const [index, item] of value.entries()) checkItem(item, shape.item, [...path, index], findings);
      return;
    case 'record':
      if (!isSpecMap(value)) {
        findings.error(path, l10n.t('Write the fields of {0} here, not {1}.', shape.noun(), shown(value)));
        return;
      }
      return checkRecord(value, shape, path, findings);
  }
}

function checkItem(item: SpecValue, shape: Shape, path: SpecPath, findings: Findings): void {
  if (item === null) findings.error(path, l10n.t('This list item is empty. Fill it or remove the line.'));
  else checkShape(item, shape, path, findings);
}

function checkText(value: SpecValue, usual: readonly string[] | undefined, path: SpecPath, findings: Findings): void {
  if (typeof value === 'number' || typeof value === 'boolean') {
    findings.error(path, l10n.t('This must be text. Put it in quotes: "{0}".', String(value)));
  } else if (typeof value !== 'string') {
    findings.error(path, l10n.t('This must be text, not {0}.', shown(value)));
  } else if (usual !== undefined && !usual.includes(value)) {
    findings.advice(path, l10n.t('"{0}" is unusual here. Kubernetes knows {1}.', shortened(value), usual.join(', ')));
  }
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
  if (shape.oneOf !== undefined) checkOneOf(value, shape, shape.oneOf, path, findings);
}

function checkOneOf(
  value: SpecMap,
  shape: RecordShape,
  choices: readonly string[],
  path: SpecPath,
  findings: Findings,
): void {
  const present = choices.filter((choice) => !isAbsent(value[choice]));
  if (present.length === 1) return;
  findings.error(
    path,
    present.length === 0
      ? l10n.t('Say what this is: {0} needs one of {1}.', shape.noun(), choices.join(', '))
      : l10n.t('Keep only one of {0}: {1} is one thing at a time.', present.join(', '), shape.noun()),
  );
}

/** Names the kind of a value; its content may be a secret and is not repeated. */
function shown(value: SpecValue): string {
  if (isSpecList(value)) return l10n.t('a list');
  if (isSpecMap(value)) return l10n.t('keys and values');
  if (typeof value === 'number') return l10n.t('a number');
  if (typeof value === 'boolean') return l10n.t('true or false');
  return l10n.t('text');
}

/** Keeps a message readable when the text it quotes is not. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
