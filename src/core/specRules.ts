import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../api/flavor.ts';
import { adviseSpec } from './specAdvice.ts';
import type { FieldPair, NumberField } from './specFields.ts';
import { fieldPairs, isSpecKey, isWhole, numberFields, otherFields, unitOf } from './specFields.ts';
import type { SpecFinding } from './specFinding.ts';
import { Findings } from './specFinding.ts';
import { checkNames } from './specNames.ts';
import { checkShape, shortened } from './specShapeCheck.ts';
import { otherShapes } from './specShapes.ts';
import type { SpecMap, SpecValue } from './specValue.ts';
import { isAbsent } from './specValue.ts';

/**
 * Everything there is to say about a resource spec: errors where the interface or plain sense forbids it, advice
 * where a value is unusual or the flavor says that it is ignored. At most 100 findings.
 */
export function checkSpec(spec: SpecMap, flavor: FlavorName): readonly SpecFinding[] {
  const findings = new Findings();
  for (const key of Object.keys(spec)) if (!isSpecKey(key)) findings.error([key], unknownKey(key), 'key');
  for (const field of numberFields) checkNumber(field, spec[field.key], findings);
  for (const pair of fieldPairs) checkPair(pair, spec, findings);
  for (const { key } of otherFields) checkShape(spec[key], otherShapes[key], [key], findings);
  checkNames(spec, findings);
  adviseSpec(spec, flavor, findings);
  return findings.all;
}

/** Whether a spec may be used: advice does not count. */
export function hasErrors(findings: readonly SpecFinding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

/** The number of a numeric field, or nothing when it is empty or is no usable number. */
export function usableNumber(field: NumberField, value: SpecValue | undefined): number | undefined {
  return isAbsent(value) || numberProblem(field, value) !== undefined || typeof value !== 'number' ? undefined : value;
}

function checkNumber(field: NumberField, value: SpecValue | undefined, findings: Findings): void {
  if (isAbsent(value)) return;
  const problem = numberProblem(field, value);
  if (problem !== undefined) findings.error([field.key], problem);
}

function numberProblem(field: NumberField, value: SpecValue): string | undefined {
  const unit = unitOf(field.role);
  if (typeof value === 'string') return textProblem(value, unit);
  if (typeof value !== 'number' || Number.isNaN(value)) return l10n.t('Write a number of {0} here.', unit);
  if (value < 0) return l10n.t('This must not be negative.');
  if (value > Number.MAX_SAFE_INTEGER) return l10n.t('This number is too large.');
  if (isWhole(field.role) && !Number.isInteger(value)) {
    return l10n.t('This must be a whole number of {0}: write {1} or {2}.', unit, Math.floor(value), Math.ceil(value));
  }
  return undefined;
}

/** A text that stands where a number belongs: says how to write the number when it can be recognised. */
function textProblem(value: string, unit: string): string {
  const trimmed = value.trim();
  if (/^-?\d+,\d+$/.test(trimmed)) return l10n.t('Write the fraction with a point: {0}.', trimmed.replace(',', '.'));
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return l10n.t('Write the number without quotes: {0}.', String(Number(trimmed)));
  const withUnit = /^(\d+(?:\.\d+)?)\s*[a-zA-Z]+$/.exec(trimmed);
  if (withUnit !== null) return l10n.t('Write a plain number of {0}, without a unit.', unit);
  return l10n.t('"{0}" is not a number. Write a number of {1}.', shortened(trimmed), unit);
}

function checkPair({ lower, upper }: FieldPair, spec: SpecMap, findings: Findings): void {
  const least = usableNumber(lower, spec[lower.key]);
  const most = usableNumber(upper, spec[upper.key]);
  if (least === undefined || most === undefined || least <= most) return;
  const message =
    lower.role === 'minScale'
      ? l10n.t('The maximum ({0}) is below the minimum ({1}).', most, least)
      : l10n.t('The limit ({0}) is below the request ({1}).', most, least);
  findings.error([upper.key], message);
}

function unknownKey(key: string): string {
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (isSpecKey(snake)) return l10n.t('"{0}" is not a field of a resource spec. Did you mean "{1}"?', key, snake);
  return l10n.t('"{0}" is not a field of a resource spec.', shortened(key));
}
