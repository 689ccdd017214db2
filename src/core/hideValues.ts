import type { Container, ResourceSpec } from '../api/resourceSpec.ts';
import { hideArguments } from './hideArguments.ts';

const hidden = '(hidden)';

/**
 * A copy of a resource in which no value of a secret or of a container's environment is left; the names stay.
 * The schema drops secret values already. Environment values are hidden too, because people put keys there, and so
 * are arguments whose names say that they are secret, and user name and password of an address.
 */
export function hideValues(resource: unknown): unknown {
  if (typeof resource === 'string') return withoutCredentials(resource);
  if (Array.isArray(resource)) return resource.map(hideValues);
  if (typeof resource !== 'object' || resource === null) return resource;
  return Object.fromEntries(
    Object.entries(resource).map(([key, value]) => {
      if (holdsValues(key)) return [key, hideNamed(value)];
      return [key, hideValues(isArguments(key) && isTexts(value) ? hideArguments(value, hidden) : value)];
    }),
  );
}

/** A copy of a spec whose containers keep the names of variables and secret arguments, each value hidden. */
export function hideSpecValues(spec: ResourceSpec): ResourceSpec {
  return withValues(spec, hidden);
}

/** A copy of a spec to start from: its containers keep the names of variables and secret arguments, without values. */
export function emptySpecValues(spec: ResourceSpec): ResourceSpec {
  return withValues(spec, '');
}

/** Whether a spec to start from lacks values that the spec itself has. */
export function hasSpecValues(spec: ResourceSpec): boolean {
  return JSON.stringify(emptySpecValues(spec)) !== JSON.stringify(spec);
}

/**
 * An address without the user name and password that it may carry; any other text as it is. Over ssh a user name alone
 * is no secret, and the address does not work without it.
 */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/\b(?!ssh:\/\/[^\s/?#:@]*@)([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1');
}

function withValues(spec: ResourceSpec, value: string): ResourceSpec {
  const replaced = (container: Container): Container => {
    const copy = { ...container };
    if (container.env) {
      copy.env = container.env.map((variable) => (hasValue(variable.value) ? { ...variable, value } : variable));
    }
    for (const key of ['command', 'args'] as const) {
      const texts = container[key];
      if (texts) copy[key] = hideArguments(texts, value).map(withoutCredentials);
    }
    return copy;
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

function isArguments(key: string): boolean {
  return key === 'args' || key === 'command';
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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
