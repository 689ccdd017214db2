import * as l10n from '@vscode/l10n';
import type { FieldNote } from './formModel.ts';

/** The message with its kind and place in words: color alone says nothing. */
export function noteWords({ severity, message, line, column }: FieldNote): string {
  const placed = line === undefined ? message : l10n.t('Line {0}, column {1}: {2}', line, column ?? 1, message);
  return severity === 'error' ? l10n.t('Error: {0}', placed) : l10n.t('Advice: {0}', placed);
}
