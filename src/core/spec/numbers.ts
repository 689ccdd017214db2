import * as l10n from '@vscode/l10n';
import { isWhole, unitOf } from './fields.ts';
import type { NumberField, NumberRole } from './fields.ts';
import { isAbsent } from '../yaml/value.ts';
import type { SpecValue } from '../yaml/value.ts';

const quantity = /^\+?(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)([A-Za-z]*)$/;

/** The factors of Kubernetes quantity suffixes. */
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

/** Parses a Kubernetes quantity, such as "500m" or "256Mi". Undefined if it isn't one. */
export function quantityOf(value: SpecValue | undefined): number | undefined {
  const match = typeof value === 'string' || typeof value === 'number' ? quantity.exec(String(value)) : null;
  const [, digits, letters = ''] = match ?? [];
  const amount = Number(digits) * (factors.get(letters) ?? Number.NaN);
  return Number.isFinite(amount) ? amount : undefined;
}

/** The number of a numeric field. Undefined if it's empty or unusable. */
export function usableNumber(field: NumberField, value: SpecValue | undefined): number | undefined {
  return isAbsent(value) || numberProblem(field, value) !== undefined || typeof value !== 'number' ? undefined : value;
}

/** Explains why a value isn't a usable number for its field. Undefined if it is. */
export function numberProblem({ role }: NumberField, value: SpecValue): string | undefined {
  const unit = unitOf(role);
  const number = typeof value === 'string' ? numberMeant(role, value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return l10n.t('Enter a number of {0}.', unit);
  if (number < 0) return l10n.t("This can't be negative.");
  if (number > Number.MAX_SAFE_INTEGER) return l10n.t('This number is too large.');
  if (isWhole(role) && !Number.isInteger(number)) {
    return l10n.t('Enter a whole number of {0}, such as {1} or {2}.', unit, Math.floor(number), Math.ceil(number));
  }
  if (number === value) return undefined;
  return l10n.t('Enter a plain number of {0}: {1}.', unit, number);
}

/**
 * Converts a text with a unit to a field's unit: "4 GB" or "4Gi" of memory to 4096, "500m" of a core to 0.5.
 * As everywhere in a spec, one MB is one Mi in Kubernetes.
 */
export function numberWithUnit(role: NumberRole, text: string): number | undefined {
  // In Kubernetes, a lowercase m always means thousandths, never MB.
  if (text.endsWith('m')) return isWhole(role) ? undefined : quantityOf(text);
  const [, amount, letter = ''] = /^(\d+(?:\.\d*)?) *([mgt])i?b?$/i.exec(text) ?? [];
  const own = role === 'storage' ? 'Gi' : role.startsWith('memory') ? 'Mi' : '';
  const factor = (factors.get(`${letter.toUpperCase()}i`) ?? Number.NaN) / (factors.get(own) ?? 1);
  return own !== '' && factor >= 1 ? Number(amount) * factor : undefined;
}

/** Thousands with commas, such as "1,024". */
const grouped = /^\d{1,3}(?:,\d{3})+$/;

/** The number in a field's unit that a text means, such as 4096 for "4Gi". Undefined if it means none. */
export function numberMeant(role: NumberRole, text: string): number | undefined {
  const typed = text.trim();
  const isGrouped = isWhole(role) && grouped.test(typed);
  const plain = isGrouped ? typed.replaceAll(',', '') : typed.replace(',', '.');
  const meant = numberWithUnit(role, plain) ?? (plain === '' ? Number.NaN : Number(plain));
  return Number.isFinite(meant) ? meant : undefined;
}
