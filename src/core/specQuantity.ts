import type { SpecValue } from './specValue.ts';

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
