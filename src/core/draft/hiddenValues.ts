import { hideValues } from '../../api/redaction/hideValues.ts';
import { isRecord } from '../../api/schema/json.ts';

/** Copies a resource without the values that may be secret. They are left empty. */
export function withoutHidden(resource: unknown): unknown {
  return hideValues(resource, () => '');
}

/** How many values of a resource may be secret. */
export function countHidden(resource: unknown): number {
  let count = 0;
  hideValues(resource, (value) => {
    count += 1;
    return value;
  });
  return count;
}

/** Gives a value what `withoutHidden` has left empty in `own`, wherever it still has the same place. */
export function withHidden(value: unknown, own: unknown): unknown {
  return restored(value, withoutHidden(own), own);
}

function restored(value: unknown, shown: unknown, own: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(shown) && Array.isArray(own)) {
    const places = placesOf(shown);
    return value.map((item: unknown, index) => {
      const place = places.get(placeOf(value, index))?.pop();
      return place === undefined ? item : restored(item, shown[place], own[place]);
    });
  }
  if (isRecord(value) && isRecord(shown) && isRecord(own)) {
    const members = Object.entries(value).map(([name, member]): [string, unknown] => {
      const isPresent = Object.hasOwn(shown, name);
      return [name, isPresent ? restored(member, shown[name], own[name]) : member];
    });
    return Object.fromEntries(members);
  }
  return value === shown ? own : value;
}

/** The positions in a list by what tells its items apart, the last one first. */
function placesOf(items: readonly unknown[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const place = placeOf(items, index);
    const others = places.get(place);
    if (others === undefined) places.set(place, [index]);
    else others.push(index);
  }
  return places;
}

/** An item goes by its name, an empty argument by the option before it, and anything else by all that it has. */
function placeOf(items: readonly unknown[], index: number): string {
  const item = items[index];
  if (isRecord(item) && typeof item['name'] === 'string') return `name ${item['name']}`;
  return JSON.stringify(item === '' ? [items[index - 1] ?? null, item] : [item]);
}
