import * as l10n from '@vscode/l10n';
import type { NumberField, NumberRole } from './specFields.ts';
import { isWhole, unitOf } from './specFields.ts';
import { quantityOf } from './specQuantity.ts';
import type { SpecValue } from './specValue.ts';
import { isAbsent } from './specValue.ts';

/** The number of a numeric field, or nothing when it is empty or is no usable number. */
export function usableNumber(field: NumberField, value: SpecValue | undefined): number | undefined {
  return isAbsent(value) || numberProblem(field, value) !== undefined || typeof value !== 'number' ? undefined : value;
}

/** Why a value that is there is no usable number for its field, in words. */
export function numberProblem(field: NumberField, value: SpecValue): string | undefined {
  if (typeof value === 'string') return textProblem(value, field.role);
  if (typeof value !== 'number' || Number.isNaN(value)) return noNumber(unitOf(field.role));
  if (value < 0) return l10n.t('This must not be negative.');
  if (value > Number.MAX_SAFE_INTEGER) return l10n.t('This number is too large.');
  if (isWhole(field.role) && !Number.isInteger(value)) {
    const unit = unitOf(field.role);
    return l10n.t('This must be a whole number of {0}: write {1} or {2}.', unit, Math.floor(value), Math.ceil(value));
  }
  return undefined;
}

/**
 * The number that a text with a unit means for a field, such as 4096 for "4 GB" or "4Gi" of memory, and 0.5 for "500m"
 * of a core. As everywhere in a spec, a MB is a Mi of Kubernetes.
 */
export function numberWithUnit(role: NumberRole, text: string): number | undefined {
  // A lower-case m alone means thousandths to Kubernetes, of whatever is counted, and never MB.
  if (text.endsWith('m')) return isWhole(role) ? undefined : quantityOf(text);
  const units = role === 'storage' ? 'GT' : role.startsWith('memory') ? 'MGT' : '';
  const [, amount = '', letter = ' '] = /^(\d+(?:\.\d*)?) *([mgt])i?b?$/i.exec(text) ?? [];
  const power = units.indexOf(letter.toUpperCase());
  return power < 0 ? undefined : Number(amount) * 1024 ** power;
}

/** A text that stands where a number belongs: says how to write the number when it can be recognised. */
function textProblem(value: string, role: NumberRole): string {
  const unit = unitOf(role);
  const trimmed = value.trim();
  const plain = trimmed.replace(',', '.');
  const meant = numberWithUnit(role, plain) ?? (plain === '' ? Number.NaN : Number(plain));
  if (Number.isFinite(meant)) return l10n.t('Write a plain number of {0}, without quotes or unit: {1}.', unit, meant);
  return noNumber(unit);
}

function noNumber(unit: string): string {
  return l10n.t('Write a number of {0} here.', unit);
}
