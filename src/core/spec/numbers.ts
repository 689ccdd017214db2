import * as l10n from '@vscode/l10n';
import { isWhole, unitOf } from './fields.ts';
import type { NumberField, NumberRole } from './fields.ts';
import { isAbsent } from './value.ts';
import type { SpecValue } from './value.ts';

/** A number, and the letters behind it. */
const quantity = /^(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)([A-Za-z]*)$/;

/** What the letters behind a quantity of Kubernetes mean. */
const factors: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
]);

/** The units that may be typed behind an amount, in the unit of the field. */
const unitsOfMemory: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['g', 1024],
  ['t', 1024 ** 2],
]);
const unitsOfStorage: ReadonlyMap<string, number> = new Map([
  ['g', 1],
  ['t', 1024],
]);

/** Reads a quantity as Kubernetes writes it, such as "500m" or "256Mi"; undefined where it is none. */
export function quantityOf(value: SpecValue | undefined): number | undefined {
  const match = typeof value === 'string' || typeof value === 'number' ? quantity.exec(String(value)) : null;
  const [, digits, letters = ''] = match ?? [];
  const amount = Number(digits) * (factors.get(letters) ?? Number.NaN);
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
  const [, amount, letter = ''] = /^(\d+(?:\.\d*)?) *([mgt])i?b?$/i.exec(text) ?? [];
  const units = role === 'storage' ? unitsOfStorage : role.startsWith('memory') ? unitsOfMemory : undefined;
  const unit = units?.get(letter.toLowerCase());
  return unit === undefined ? undefined : Number(amount) * unit;
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
