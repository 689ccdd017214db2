import * as vscode from 'vscode';
import type { ListedListeners } from '../../../api/resources/listeners.ts';
import { type DeploymentDraft, chooseListener } from '../../../core/draft/draft.ts';
import type { PickedField } from '../../../core/draft/fields.ts';
import { summarizeListener } from '../../../core/resources/listeners.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { loadListeners, registerListener } from '../../listeners/registerListener.ts';
import type { Services } from '../../services.ts';
import { type QuestionPlace, askChoice, PromptClosedError } from '../../window/steps.ts';
import { type DeploymentPlan, workingCopyOf } from '../plan.ts';
import { editSecretReferences } from '../secrets/secretReferences.ts';
import { askConfigPath, askRef } from './fieldQuestions.ts';
import { chooseIntegration, editRepository } from './repositoryQuestions.ts';

/**
 * Asks for another value of a field. Without an answer, nothing changes.
 * @param configPaths the config files to choose from. Default: those of the working copy
 */
export async function editField(
  services: Services,
  plan: DeploymentPlan,
  field: PickedField,
  configPaths = workingCopyOf(plan)?.configPaths ?? [],
): Promise<void> {
  const { title, draft, session } = plan;
  const place = { title, asking: plan };
  switch (field) {
    case 'listener':
      return editListener(services, plan);
    case 'kubernetesNamespace':
      // A copied namespace whose listener was not found needs that first.
      return draft.listener === undefined ? editListener(services, plan) : editNamespace(place, draft);
    case 'secretReferences':
      if (draft.source !== 'external_docker') return undefined;
      return editSecretReferences(plan, draft, (references) => {
        draft.secretReferences = [...references];
      });
    case 'configPath':
      if (!('configPath' in draft)) return undefined;
      draft.configPath = (await askConfigPath(place, draft.configPath, configPaths)) ?? draft.configPath;
      return undefined;
    case 'repositoryUrl':
      return draft.source === 'repohost' ? editRepository(services, plan, draft) : undefined;
    case 'integrationId':
      return draft.source === 'repohost' ? chooseIntegration(session, place, draft) : undefined;
    case 'ref':
      if (draft.source !== 'repohost') return undefined;
      draft.ref = (await askRef(place, draft.ref, workingCopyOf(plan))) ?? draft.ref;
      return undefined;
  }
}

interface ListenerItem extends vscode.QuickPickItem {
  /** True for the draft's current value. */
  readonly isPresent?: boolean;
  /** Applies the selection to the draft. */
  readonly choose: () => Promise<void> | void;
}

/** Asks for the listener and the namespace of a deployment. */
async function editListener(services: Services, plan: DeploymentPlan): Promise<void> {
  const { draft, title, session } = plan;
  const place = { title, asking: plan };
  const listed = await loadListeners(session, title);
  const items = itemsOf(services, session, draft, listed);
  const choice = await askChoice({
    ...place,
    placeholder: listed.isCut
      ? vscode.l10n.t('Select one of the first {0} listeners of {1}', listed.listeners.length, session.connection.name)
      : vscode.l10n.t('Select a listener of {0} to run the deployment', session.connection.name),
    items,
    active: items.find(({ isPresent }) => isPresent),
  });
  if (choice === undefined) return;
  draft.provenance.listener = { kind: 'user' };
  await choice.choose();
  // Ask for the namespace unless the listener has only one or the user already chose one.
  if (draft.kubernetesNamespace === undefined) await editNamespace(place, draft);
}

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
      choose: () => chooseListener(draft, listener),
    };
  });
  return [
    ...rows,
    { label: '', kind: vscode.QuickPickItemKind.Separator, choose: () => undefined },
    {
      label: vscode.l10n.t('None: the service runs the deployment'),
      isPresent: draft.listener === undefined,
      choose: () => chooseListener(draft, undefined),
    },
    {
      label: vscode.l10n.t('Create Listener…'),
      choose: async () => {
        const created = await registerListener(services, session, listeners);
        if (created === undefined) throw new PromptClosedError();
        chooseListener(draft, created);
        draft.provenance.listener = { kind: 'made' };
      },
    },
  ];
}

/** Asks for one of the listener's namespaces; without an answer, nothing changes. */
async function editNamespace(place: QuestionPlace, draft: DeploymentDraft): Promise<void> {
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
}
