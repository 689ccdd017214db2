import * as l10n from '@vscode/l10n';
import { isWhole, unitOf } from './fields.ts';
import type { NumberField, NumberRole } from './fields.ts';
import { isAbsent } from './value.ts';
import type { SpecValue } from './value.ts';

/** A number, and behind it nothing, a letter for a power of 1000, or a letter and "i" for one of 1024. */
const quantity = /^(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?:([numkMGTPE]?)|([KMGTPE])i)$/;
/** The letters in the order of their powers; the blank stands for none, which is the power 0. */
const lettersOf1000 = 'num kMGTPE';
const lettersOf1024 = ' KMGTPE';

/** Reads a quantity as Kubernetes writes it, such as "500m" or "256Mi"; undefined where it is none. */
export function quantityOf(value: SpecValue | undefined): number | undefined {
  const match = typeof value === 'string' || typeof value === 'number' ? quantity.exec(String(value)) : null;
  if (match === null) return undefined;
  const [, digits, decimal, binary] = match;
  const unit =
    binary === undefined ? 1000 ** (lettersOf1000.indexOf(decimal || ' ') - 3) : 1024 ** lettersOf1024.indexOf(binary);
  const amount = Number(digits) * unit;
  return Number.isFinite(amount) ? amount : undefined;
}

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
