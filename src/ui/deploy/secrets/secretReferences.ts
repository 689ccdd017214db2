import * as vscode from 'vscode';
import type { ExternalImageDraft, SecretReference } from '../../../core/draft/draft.ts';
import { secretNameProblem } from '../../../core/draft/fieldProblem.ts';
import { referenceCount } from '../../../core/draft/draftLines.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { askChoice, askText, changeEntry, PromptClosedError, runSteps } from '../../window/steps.ts';
import type { Asking, Step } from '../../window/steps.ts';

interface ReferenceItem extends vscode.QuickPickItem {
  /** The references after the item's action. Undefined for Done. */
  readonly run?: () => Promise<readonly SecretReference[]>;
}

/**
 * Edits a draft's references to Kubernetes secrets, a row each. They hold names only, so all of them are shown.
 * What was added counts also if the list is closed.
 */
export async function editSecretReferences(...parameters: Parameters<typeof askReferences>): Promise<void> {
  try {
    await askReferences(...parameters);
  } catch (error) {
    if (!(error instanceof PromptClosedError)) throw error;
  }
}

async function askReferences(
  asking: Asking,
  draft: ExternalImageDraft,
  keep: (references: readonly SecretReference[]) => void,
): Promise<void> {
  const reservedNames = reservedSecretNames();
  let references: readonly SecretReference[] = draft.secretReferences;
  for (;;) {
    const present = references;
    const problemOf = (name: string, own?: SecretReference): string | undefined =>
      secretNameProblem(name, reservedNames, {
        secrets: draft.secrets.map((secret) => secret.name),
        references: present.filter((other) => other !== own).map((other) => other.name),
      });
    const add: ReferenceItem = {
      label: vscode.l10n.t('$(add) Add Secret Reference…'),
      run: async () => {
        const added = await askReference(asking, { name: '', secretName: '', secretKey: '' }, problemOf);
        return added === undefined ? present : [...present, added];
      },
    };
    const choice = await askChoice<ReferenceItem>({
      asking,
      title: vscode.l10n.t('Secret References'),
      placeholder: vscode.l10n.t('Environment variables that the cluster reads from its Kubernetes secrets'),
      active: present.length === 0 ? add : undefined,
      items: [
        { label: vscode.l10n.t('$(check) Done'), description: referenceCount(present.length) },
        add,
        ...present.map((reference) => ({
          label: `$(key) ${withoutIcons(reference.name)}`,
          description: withoutIcons(`${reference.secretName} · ${reference.secretKey}`),
          run: () =>
            changeEntry({ asking, title: reference.name, placeholder: '' }, present, reference, () =>
              askReference(asking, reference, (name) => problemOf(name, reference)),
            ),
        })),
      ],
    });
    if (choice === undefined || choice.run === undefined) return;
    references = await choice.run();
    keep(references);
    asking.typed?.clear();
  }
}

async function askReference(
  asking: Asking,
  present: SecretReference,
  problemOf: (name: string) => string | undefined,
): Promise<SecretReference | undefined> {
  const reference = { ...present };
  const title = vscode.l10n.t('Secret Reference');
  const step =
    (
      field: keyof SecretReference,
      prompt: string,
      placeholder: string,
      check: (text: string) => string | undefined,
    ): Step =>
    async (place) => {
      const question = { title, prompt, placeholder, value: reference[field] };
      const answer = await askText({ ...place, ...question, asking, problemOf: (text) => check(text.trim()) });
      if (typeof answer !== 'string') return answer;
      reference[field] = answer.trim();
      return 'next';
    };
  const isDone = await runSteps([
    step('name', vscode.l10n.t('The environment variable that the application reads.'), 'DATABASE_PASSWORD', problemOf),
    step('secretName', vscode.l10n.t('The name of the Kubernetes secret.'), 'database', requiredProblem),
    step('secretKey', vscode.l10n.t('The key in the Kubernetes secret.'), 'password', requiredProblem),
  ]);
  return isDone ? reference : undefined;
}

function requiredProblem(text: string): string | undefined {
  if (text === '') return vscode.l10n.t('Enter a name.');
  return /[^\w.-]/.test(text) ? vscode.l10n.t('Use letters, digits, ".", "-" and "_" only.') : undefined;
}
