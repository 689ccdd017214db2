/**
 * A copy of a resource in which no value of a secret or of a container's environment is left; the names stay.
 * The schema drops secret values already. Environment values are hidden too, because people put keys there.
 */
export function hideValues(resource: unknown): unknown {
  if (Array.isArray(resource)) return resource.map(hideValues);
  if (typeof resource !== 'object' || resource === null) return resource;
  return Object.fromEntries(
    Object.entries(resource).map(([key, value]) => [
      key,
      isNamedValues(key, value) ? value.map(hideValue) : hideValues(value),
    ]),
  );
}

function isNamedValues(key: string, value: unknown): value is readonly unknown[] {
  return (key === 'env' || key === 'secrets') && Array.isArray(value);
}

function hideValue(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('value' in entry)) return entry;
  return { ...entry, value: '(hidden)' };
}
