import * as vscode from 'vscode';
import {
  askText,
  runSteps,
  type Asking,
  type StepAnswer,
  type StepPlace,
  type TextQuestion,
} from '../../window/steps.ts';

/** Asks for the value of a secret, masked. A storage may take an empty value for a missing one. */
export async function askSecretValue(
  name: string,
  question: Partial<TextQuestion> & Omit<StepPlace, 'title'>,
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

/** Asks for values in turn, and keeps each, also if a prompt closes later. */
export async function askMissingValues(
  asking: Asking,
  names: readonly string[],
  keep: (name: string, value: string) => void,
): Promise<void> {
  const values = new Map<string, string>();
  await runSteps(
    names.map((name) => async (place) => {
      const answer = await askSecretValue(name, { ...place, asking, value: values.get(name) ?? '' });
      if (typeof answer !== 'string') return answer;
      values.set(name, answer);
      keep(name, answer);
      return 'next';
    }),
  );
}
