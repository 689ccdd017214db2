import * as vscode from 'vscode';
import { stringify } from 'yaml';
import { hideValues } from '../core/hideValues.ts';

/** The text of a document: a heading as a comment, and the resource as YAML without secret values. */
export function documentText(heading: string, resource: object | undefined): string {
  if (resource === undefined) return `# ${heading}\n# ${vscode.l10n.t('The service does not have it any more.')}\n`;
  return `# ${heading}\n${stringify(hideValues(resource), { lineWidth: 0 })}`;
}
