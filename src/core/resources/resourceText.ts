import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { hideValues } from '../../api/redaction/hideValues.ts';

/** The longest text to show in a document, in characters. */
const longestText = 250_000;

/**
 * Formats a resource as YAML for a document, without any value that may be a secret.
 * A resource that's too long becomes JSON, which is fast to write and also YAML, and is cut off; a note says so.
 */
export function resourceText(resource: object): { readonly yaml: string; readonly note?: string } {
  const shown = hideValues(resource, () => '(hidden)');
  if (JSON.stringify(shown).length <= longestText) return { yaml: stringify(shown) };
  const note = l10n.t('This resource is too long to show in full. Only the beginning follows.');
  return { yaml: `${JSON.stringify(shown, undefined, 2).slice(0, longestText)}\n`, note };
}

/** A resource without what differs between any two of its kind: its id and its dates. */
export function comparableResource(resource: object): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'id' && !name.endsWith('_at')));
}
