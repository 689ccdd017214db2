import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { hideValues } from '../../api/http/hideValues.ts';

/** The most that a document shows of a resource, in characters. */
const longestText = 250_000;

/** A resource as YAML, in which no value is left that may be a secret. */
export interface ResourceText {
  readonly yaml: string;
  /** What has to be said about it, as a sentence. */
  readonly remark?: string;
}

/**
 * Writes a resource for a document. One that is too long is shown as JSON, which takes no time to write and is YAML too,
 * and only as far as it is of use.
 */
export function resourceText(resource: object): ResourceText {
  const shown = hideValues(resource, () => '(hidden)');
  if (JSON.stringify(shown).length <= longestText) return { yaml: stringify(shown, { lineWidth: 0 }) };
  const remark = l10n.t('This resource is too long to show in full. Only the beginning follows.');
  return { yaml: `${JSON.stringify(shown, undefined, 2).slice(0, longestText)}\n`, remark };
}
