import * as l10n from '@vscode/l10n';
import type { Listener } from '../api/listeners.ts';
import type { DeploymentDraft } from './deploymentDraft.ts';
import { nameOfListener, namespacesOf } from './listenerSummary.ts';
import type { Finding } from './preflightInput.ts';

/**
 * Puts a draft on a listener, or on none. A namespace that was chosen before stays where the listener has it too; the
 * only one that a listener has is taken without a question.
 */
export function chooseListener(draft: DeploymentDraft, listener: Listener | undefined): void {
  const namespaces = listener === undefined ? [] : namespacesOf(listener);
  const kept = namespaces.find((namespace) => namespace === draft.kubernetesNamespace);
  draft.listener = listener === undefined ? undefined : { id: listener.id, name: nameOfListener(listener), namespaces };
  draft.kubernetesNamespace = kept ?? (namespaces.length === 1 ? namespaces[0] : undefined);
}

/** Takes a draft off its listener, which belongs to one service only, and says so where there was one. */
export function forgetListener(draft: DeploymentDraft): readonly Finding[] {
  const { listener } = draft;
  if (listener === undefined) return [];
  chooseListener(draft, undefined);
  const message = l10n.t('The listener {0} belongs to the other connection and is not used any more.', listener.name);
  return [{ severity: 'warning', field: 'listener', message }];
}
