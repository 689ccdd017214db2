import type { Container, ResourceSpec } from '../api/resourceSpec.ts';

const hidden = '(hidden)';

/**
 * A copy of a resource in which no value of a secret or of a container's environment is left; the names stay.
 * The schema drops secret values already. Environment values are hidden too, because people put keys there, and so
 * are user name and password of an address.
 */
export function hideValues(resource: unknown): unknown {
  if (typeof resource === 'string') return withoutCredentials(resource);
  if (Array.isArray(resource)) return resource.map(hideValues);
  if (typeof resource !== 'object' || resource === null) return resource;
  return Object.fromEntries(
    Object.entries(resource).map(([key, value]) => [key, holdsValues(key) ? hideNamed(value) : hideValues(value)]),
  );
}

/** A copy of a spec whose containers keep the names of their environment variables, each value hidden. */
export function hideSpecValues(spec: ResourceSpec): ResourceSpec {
  return withVariableValues(spec, hidden);
}

/** A copy of a spec to start from: its containers keep the names of their environment variables, each value empty. */
export function emptySpecValues(spec: ResourceSpec): ResourceSpec {
  return withVariableValues(spec, '');
}

/** Whether a container of the spec has an environment variable with a value. */
export function hasVariableValues({ init_containers: first, sidecars }: ResourceSpec): boolean {
  const variables = [...(first ?? []), ...(sidecars ?? [])].flatMap(({ env }) => env ?? []);
  return variables.some(({ value }) => hasValue(value));
}

/** An address without the user name and password that it may carry; any other text as it is. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1');
}

function withVariableValues(spec: ResourceSpec, value: string): ResourceSpec {
  const replaced = (container: Container): Container =>
    container.env === undefined || container.env === null
      ? container
      : {
          ...container,
          env: container.env.map((variable) => (hasValue(variable.value) ? { ...variable, value } : variable)),
        };
  const copy = { ...spec };
  if (spec.init_containers) copy.init_containers = spec.init_containers.map(replaced);
  if (spec.sidecars) copy.sidecars = spec.sidecars.map(replaced);
  return copy;
}

function hasValue(value: string | null | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

function holdsValues(key: string): boolean {
  return key === 'env' || key === 'secrets';
}

/** Named values in each of the ways in which they are written: `{name, value}`, `NAME=value`, and a map. */
function hideNamed(values: unknown): unknown {
  if (Array.isArray(values)) return values.map(hideEntry);
  if (typeof values !== 'object' || values === null) return values === null ? null : hidden;
  return Object.fromEntries(Object.keys(values).map((name) => [name, hidden]));
}

function hideEntry(entry: unknown): unknown {
  if (typeof entry === 'string')
    return entry.includes('=') ? `${entry.slice(0, entry.indexOf('='))}=${hidden}` : hidden;
  if (typeof entry !== 'object' || entry === null) return hidden;
  return 'value' in entry ? { ...entry, value: hidden } : entry;
}
