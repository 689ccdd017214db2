import * as vscode from 'vscode';
import type { DraftSecret } from '../../../core/draft/draft.ts';
import { askText, runSteps, type Step } from '../../window/steps.ts';

/**
 * Asks for each missing value of secrets in turn. A secret whose value is left empty is left out.
 * Escape keeps the answers so far; the review names the values that are still missing.
 */
export async function askSecretValues(secrets: readonly DraftSecret[]): Promise<readonly DraftSecret[]> {
  const values = new Map<DraftSecret, string>();
  const missing = secrets.filter(({ value }) => value === undefined);
  await runSteps(
    missing.map((secret): Step => async (place) => {
      const answer = await askText({
        ...place,
        title: vscode.l10n.t('Value of {0}', secret.name),
        prompt: vscode.l10n.t('Sent once with the deployment, then discarded. Leave empty to deploy without it.'),
        placeholder: vscode.l10n.t('Value, or empty'),
        value: values.get(secret) ?? '',
        password: true,
      });
      if (typeof answer !== 'string') return answer;
      values.set(secret, answer);
      return 'next';
    }),
  );
  return secrets.flatMap((secret) => {
    const value = values.get(secret);
    if (value === undefined) return [secret];
    return value === '' ? [] : [{ name: secret.name, value }];
  });
}
