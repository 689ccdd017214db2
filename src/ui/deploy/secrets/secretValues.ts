import * as vscode from 'vscode';
import type { DraftSecret } from '../../../core/draft/draft.ts';
import { askText, runSteps, type StepAnswer, type StepPlace, type TextQuestion } from '../../window/steps.ts';
import type { DeploymentPlan } from '../plan.ts';

/** Asks for the value of a secret, masked. A storage may take an empty value for a missing one. */
export async function askSecretValue(
  name: string,
  question: Partial<TextQuestion> & Omit<StepPlace, 'title'> = {},
): Promise<StepAnswer<string>> {
  return askText({
    prompt: vscode.l10n.t('Sent once with the deployment, then discarded.'),
    placeholder: vscode.l10n.t('Value'),
    problemOf: (value) => (value === '' ? vscode.l10n.t('Enter a value.') : undefined),
    ...question,
    title: vscode.l10n.t('Value of {0}', name),
    password: true,
    isUsed: true,
  });
}

/**
 * Asks for each missing value of a draft's secrets in turn.
 * Answers are kept in the draft, also when a prompt closes; a finding names the values that are still missing.
 */
export async function askMissingValues(plan: DeploymentPlan): Promise<void> {
  const { secrets } = plan.draft;
  const values = new Map<DraftSecret, string>();
  const missing = secrets.filter(({ value }) => value === undefined);
  const isAnswered = runSteps(
    missing.map((secret) => async (place) => {
      const answer = await askSecretValue(secret.name, {
        ...place,
        asking: plan,
        value: values.get(secret) ?? '',
      });
      if (typeof answer !== 'string') return answer;
      values.set(secret, answer);
      return 'next';
    }),
  );
  await isAnswered.finally(() => {
    plan.draft.secrets = secrets.map((secret) => ({ ...secret, value: values.get(secret) ?? secret.value }));
  });
}
