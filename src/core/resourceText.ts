import { stringify } from 'yaml';
import { hideValues } from './hideValues.ts';

/** A resource as YAML for a person to read: without the values of secrets and variables, and with whole lines. */
export function resourceText(resource: object): string {
  return stringify(hideValues(resource), { lineWidth: 0 });
}
