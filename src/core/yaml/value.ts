/** The values that the YAML of a resource spec can hold: the JSON values. */
export type SpecValue = null | boolean | number | string | readonly SpecValue[] | SpecMap;

export interface SpecMap {
  readonly [key: string]: SpecValue;
}

/** The path to a value in a resource spec: map keys and list positions, outermost first. */
export type SpecPath = readonly (string | number)[];

export function isSpecList(value: SpecValue | undefined): value is readonly SpecValue[] {
  return Array.isArray(value);
}

export function isSpecMap(value: SpecValue | undefined): value is SpecMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null equals absent everywhere in a resource spec. */
export function isAbsent(value: SpecValue | undefined): value is null | undefined {
  return value === null || value === undefined;
}

/** Compares values by content. The order of keys doesn't matter. */
export function sameSpecValue(left: SpecValue | undefined, right: SpecValue | undefined): boolean {
  if (isSpecList(left) && isSpecList(right)) {
    return left.length === right.length && left.every((item, index) => sameSpecValue(item, right[index]));
  }
  if (isSpecMap(left) && isSpecMap(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && sameSpecValue(left[key], right[key]))
    );
  }
  return Object.is(left, right);
}

/** The value at a path. Undefined if there is none. */
export function valueAt(container: SpecValue | undefined, path: SpecPath): SpecValue | undefined {
  let value = container;
  for (const step of path) {
    if (typeof step === 'number') value = isSpecList(value) ? value[step] : undefined;
    else value = isSpecMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}

/** The maps of a list. Empty for anything else. */
export function mapsIn(value: SpecValue | undefined): readonly SpecMap[] {
  return isSpecList(value) ? value.filter(isSpecMap) : [];
}

/** The text of a map's key. Empty if there is none. */
export function textOf(map: SpecValue | undefined, key: string): string {
  const value = isSpecMap(map) ? map[key] : undefined;
  return typeof value === 'string' ? value : '';
}
