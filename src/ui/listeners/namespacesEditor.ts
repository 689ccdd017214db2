import * as vscode from 'vscode';
import { namespaceProblem } from '../../core/resources/listeners.ts';
import { askChoice, askText, back, type StepAnswer } from '../window/steps.ts';

export interface NamespacesQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly namespaces: readonly string[];
  /** Stores each change at once, so going back loses none. */
  readonly keep: (namespaces: readonly string[]) => void;
}

interface NamespaceItem extends vscode.QuickPickItem {
  /** Returns the changed list; without it, the list is done. */
  readonly edit?: () => Promise<readonly string[]>;
}

/** Edits a list of Kubernetes namespaces one at a time. */
export async function editNamespaces(question: NamespacesQuestion): Promise<StepAnswer<'next'>> {
  const { keep, ...place } = question;
  let { namespaces } = question;
  for (;;) {
    const choice = await askChoice<NamespaceItem>({ ...place, items: itemsOf(question.title, namespaces) });
    if (choice === undefined || choice === back) return choice;
    if (choice.edit === undefined) return 'next';
    namespaces = await choice.edit();
    keep(namespaces);
  }
}

function itemsOf(title: string, namespaces: readonly string[]): NamespaceItem[] {
  const add: NamespaceItem = {
    label: vscode.l10n.t('$(add) Add Namespace…'),
    edit: async () => {
      const name = await askNamespace(title, '', namespaces);
      return name === undefined ? namespaces : [...namespaces, name];
    },
  };
  const done: NamespaceItem = { label: vscode.l10n.t('$(check) Continue'), description: countOf(namespaces) };
  const present = namespaces.map((namespace) => ({
    label: `$(symbol-namespace) ${namespace}`,
    description: vscode.l10n.t('select to change or remove'),
    edit: async () => change(title, namespaces, namespace),
  }));
  return [done, add, ...present];
}

async function change(title: string, namespaces: readonly string[], namespace: string): Promise<readonly string[]> {
  const rename = { label: vscode.l10n.t('$(edit) Change…') };
  const remove = { label: vscode.l10n.t('$(trash) Remove') };
  const choice = await askChoice({ title, placeholder: namespace, items: [rename, remove] });
  const others = namespaces.filter((other) => other !== namespace);
  if (choice === remove) return others;
  if (choice !== rename) return namespaces;
  const name = await askNamespace(title, namespace, others);
  return name === undefined ? namespaces : namespaces.map((other) => (other === namespace ? name : other));
}

async function askNamespace(title: string, value: string, others: readonly string[]): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('A Kubernetes namespace: lower-case letters, digits and hyphens.'),
    placeholder: 'agents',
    value,
    problemOf: (text) =>
      others.includes(text.trim())
        ? vscode.l10n.t('The namespace "{0}" is already in the list.', text.trim())
        : namespaceProblem(text.trim()),
  });
  return answer === undefined || answer === back ? undefined : answer.trim();
}

function countOf(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return vscode.l10n.t('no namespaces');
  return namespaces.length === 1
    ? vscode.l10n.t('with 1 namespace')
    : vscode.l10n.t('with {0} namespaces', namespaces.length);
}
