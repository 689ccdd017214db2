import * as vscode from 'vscode';
import type { ListedListeners } from '../../../api/resources/listeners.ts';
import { chooseListener, type DeploymentDraft } from '../../../core/draft/draft.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { summarizeListener } from '../../../core/resources/listeners.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { registerListener } from '../../listeners/registerListener.ts';
import type { Services } from '../../services.ts';
import { isCancelled, messageOf } from '../../window/errors.ts';
import { askChoice, PromptClosedError, type ReviewPlace } from '../../window/steps.ts';
import { unlessAborted, whileWaiting } from '../../window/waiting.ts';
import type { DeploymentPlan } from '../plan.ts';

interface ListenerItem extends vscode.QuickPickItem {
  /** True for the draft's current value. */
  readonly isPresent?: boolean;
  /** Applies the selection to the draft. */
  readonly choose?: () => Promise<void> | void;
}

/**
 * Asks for the listener and the namespace of a deployment.
 * A failure becomes a finding in the review, so the user's input isn't lost.
 */
export async function editListener(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
): Promise<readonly Finding[]> {
  const { draft, title } = plan;
  const place = { title, review: plan };
  try {
    const words = vscode.l10n.t('Loading the listeners of {0}…', withoutIcons(session.connection.name));
    const listed = await whileWaiting({ title, words }, async (signal) => {
      const client = await unlessAborted(session.client(), signal);
      return client.listeners.listToChoose({ signal });
    });
    const items = itemsOf(services, session, draft, listed);
    const choice = await askChoice({
      ...place,
      placeholder: listed.isCut
        ? vscode.l10n.t(
            'Select one of the first {0} listeners of {1}',
            listed.listeners.length,
            session.connection.name,
          )
        : vscode.l10n.t('Select a listener of {0} to run the deployment', session.connection.name),
      items,
      active: items.find(({ isPresent }) => isPresent),
    });
    if (choice === undefined) return [];
    await choice.choose?.();
    // Ask for the namespace unless the listener has only one or the user already chose one.
    if (draft.kubernetesNamespace === undefined) await editNamespace(place, draft);
    return [];
  } catch (error) {
    if (isCancelled(error)) throw error;
    return [finding('warning', messageOf(error), 'listener')];
  }
}

const byUser = { kind: 'user' } as const;

function itemsOf(
  services: Services,
  session: ReadySession,
  draft: DeploymentDraft,
  { listeners }: ListedListeners,
): readonly ListenerItem[] {
  const now = services.clock.now();
  const rows = listeners.map((listener) => {
    const { label, description } = summarizeListener(listener, now);
    return {
      label: `$(server) ${withoutIcons(label)}`,
      description: withoutIcons(description),
      isPresent: listener.id === draft.listener?.id,
      choose: () => chooseListener(draft, listener, byUser),
    };
  });
  return [
    ...rows,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: vscode.l10n.t('None: the service runs the deployment'),
      isPresent: draft.listener === undefined,
      choose: () => chooseListener(draft, undefined, byUser),
    },
    {
      label: vscode.l10n.t('Create Listener…'),
      choose: async () => {
        const created = await registerListener(services, session, listeners);
        if (created === undefined) throw new PromptClosedError();
        chooseListener(draft, created, byUser);
      },
    },
  ];
}

/** Asks for one of the listener's namespaces; without an answer, nothing changes. */
export async function editNamespace(place: ReviewPlace, draft: DeploymentDraft): Promise<void> {
  const { namespaces = [], name = '' } = draft.listener ?? {};
  if (namespaces.length === 0) return;
  const items = [
    ...namespaces.map((namespace) => ({ namespace, label: `$(symbol-namespace) ${withoutIcons(namespace)}` })),
    { namespace: undefined, label: vscode.l10n.t('None: the service chooses') },
  ];
  const choice = await askChoice({
    ...place,
    placeholder: vscode.l10n.t('Select a namespace of {0} for the deployment', name),
    items,
    active: items.find(({ namespace }) => namespace === draft.kubernetesNamespace),
  });
  if (choice === undefined) return;
  draft.kubernetesNamespace = choice.namespace;
  draft.provenance.kubernetesNamespace = { kind: 'user' };
}
