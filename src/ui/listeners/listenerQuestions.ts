import * as vscode from 'vscode';
import { namespaceProblem } from '../../core/resources/listenerChanges.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { askStepChoice, askText, back, changeEntry, type StepAnswer, type StepPlace } from '../window/steps.ts';

/** What can be chosen about a new listener, and changed about an existing one. */
export interface ListenerChoices {
  namespaces: readonly string[];
  /** Empty for none. */
  version: string;
  /** Why the last request failed, if sending it again may help. */
  failure: string | undefined;
}

interface NamespaceItem extends vscode.QuickPickItem {
  /** Returns the changed list; without it, the list is done. */
  readonly edit?: () => Promise<readonly string[]>;
}

/** Edits the Kubernetes namespaces one at a time. Each change is kept at once, so going back loses none. */
export async function askNamespaces(draft: ListenerChoices, place: StepPlace): Promise<StepAnswer<'next'>> {
  for (;;) {
    const choice = await askStepChoice({
      ...place,
      placeholder: vscode.l10n.t('Add the namespaces that deployments may use; without any, the service decides'),
      items: namespaceItems(place.title, draft.namespaces),
    });
    if (choice === undefined || choice === back) return choice;
    if (choice.edit === undefined) return 'next';
    draft.namespaces = await choice.edit();
  }
}

function namespaceItems(title: string, namespaces: readonly string[]): NamespaceItem[] {
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
    edit: () =>
      changeEntry({ title, placeholder: namespace }, namespaces, namespace, () =>
        askNamespace(
          title,
          namespace,
          namespaces.filter((other) => other !== namespace),
        ),
      ),
  }));
  return [done, add, ...present];
}

async function askNamespace(title: string, value: string, others: readonly string[]): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('A Kubernetes namespace: lowercase letters, digits, and hyphens.'),
    placeholder: 'agents',
    value,
    problemOf: (text) =>
      others.includes(text.trim())
        ? vscode.l10n.t('The namespace "{0}" is already in the list.', text.trim())
        : namespaceProblem(text.trim()),
  });
  return typeof answer === 'string' ? answer.trim() : undefined;
}

function countOf(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return vscode.l10n.t('no namespaces');
  return namespaces.length === 1
    ? vscode.l10n.t('with 1 namespace')
    : vscode.l10n.t('with {0} namespaces', namespaces.length);
}

/** Asks for the version. It's the last step, so the prompt says what Enter sends, or why that failed before. */
export async function askVersion(
  draft: ListenerChoices,
  place: StepPlace,
  prompt: string,
  problemOf: (version: string) => string | undefined = () => undefined,
): Promise<StepAnswer<'next'>> {
  const answer = await askText({
    ...place,
    prompt: draft.failure ?? prompt,
    placeholder: vscode.l10n.t('Version, or empty'),
    value: draft.version,
    problemOf: (text) => problemOf(text.trim()),
  });
  if (typeof answer !== 'string') return answer;
  draft.version = answer.trim();
  return 'next';
}

/** Whether the list still belongs to this session; the window may have switched connections. */
export function isListed({ connections }: Pick<Services, 'connections'>, session: ReadySession): boolean {
  return connections.session === session;
}
