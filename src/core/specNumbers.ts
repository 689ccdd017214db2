import * as l10n from '@vscode/l10n';
import type { NumberField } from './specFields.ts';
import { isWhole, unitOf } from './specFields.ts';
import { shortened } from './specShapeCheck.ts';
import type { SpecValue } from './specValue.ts';
import { isAbsent } from './specValue.ts';

/** The number of a numeric field, or nothing when it is empty or is no usable number. */
export function usableNumber(field: NumberField, value: SpecValue | undefined): number | undefined {
  return isAbsent(value) || numberProblem(field, value) !== undefined || typeof value !== 'number' ? undefined : value;
}

/** Why a value that is there is no usable number for its field, in words. */
export function numberProblem(field: NumberField, value: SpecValue): string | undefined {
  if (typeof value === 'string') return textProblem(value, unitOf(field.role));
  if (typeof value !== 'number' || Number.isNaN(value)) {
    return l10n.t('Write a number of {0} here.', unitOf(field.role));
  }
  if (value < 0) return l10n.t('This must not be negative.');
  if (value > Number.MAX_SAFE_INTEGER) return l10n.t('This number is too large.');
  if (isWhole(field.role) && !Number.isInteger(value)) {
    const unit = unitOf(field.role);
    return l10n.t('This must be a whole number of {0}: write {1} or {2}.', unit, Math.floor(value), Math.ceil(value));
  }
  return undefined;
}

/** A text that stands where a number belongs: says how to write the number when it can be recognised. */
function textProblem(value: string, unit: string): string {
  const trimmed = value.trim();
  if (/^-?\d+,\d+$/.test(trimmed)) return l10n.t('Write the fraction with a point: {0}.', trimmed.replace(',', '.'));
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return l10n.t('Write the number without quotes: {0}.', String(Number(trimmed)));
  if (/^\d+(\.\d+)?\s*[a-z]+$/i.test(trimmed)) return l10n.t('Write a plain number of {0}, without a unit.', unit);
  return l10n.t('"{0}" is not a number. Write a number of {1}.', shortened(trimmed), unit);
}
