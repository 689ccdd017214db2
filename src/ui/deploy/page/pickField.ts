import { hasSuggestedName, valuesOfRepository } from '../../../core/draft/begunDraft.ts';
import { withDraftValues, withFileValues } from '../../../core/draft/deploymentFileText.ts';
import { nameFor } from '../../../core/draft/deploymentName.ts';
import { draftFields, type PickedField } from '../../../core/draft/fields.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { textOf } from '../../../core/yaml/value.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import { beginForRepository } from '../deploy.ts';
import { editField } from '../fields/editField.ts';
import { configPathIn } from '../file/filePlan.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import type { PageContext, PageSubject } from './pageContext.ts';

/** Asks for a field with a list of VS Code, and writes the answer into the file. */
export async function pickField(subject: PageSubject, field: PickedField): Promise<void> {
  const { services, begun, index, deployment, checked, facts, replace } = subject;
  const plan = checked?.plan;
  if (plan === undefined) return;
  const changed: DeploymentPlan = { ...plan, draft: structuredClone(plan.draft) };
  await editField(services, changed, field, checked?.folder?.configPaths);
  // The answer may be a new listener, or a branch that was fetched for it.
  facts.plans.forget();
  facts.copies = new Map();
  const { listener, provenance } = changed.draft;
  if (listener !== undefined && provenance.listener?.kind === 'made') facts.madeListeners.add(listener.id);
  const name = nameFor(changed.draft);
  const began = begun?.deployments[index];
  const isOther = repositoryOf(changed) !== repositoryOf(plan);
  const { content = {} } = deployment;
  const now = isOther && began && (await beginForRepository(services, changed.session, changed.draft, began, content));
  if (now) {
    await begun?.beginAgain(index, now, textOf(content, draftFields.repositoryUrl.key));
    await replace(deployment, (text) => textAfterEdit(withFileValues(text, valuesOfRepository(text, began, now))));
    return;
  }
  // The plan may be older than what the user has typed.
  const isSuggested = began !== undefined && hasSuggestedName(began, deployment.content ?? {});
  const isFollowing = isSuggested && name !== nameFor(plan.draft);
  if (isFollowing) changed.draft.name = name;
  await write(subject, plan, changed);
  if (isFollowing) await begun?.suggest(index, name);
  if (JSON.stringify(changed.draft) !== JSON.stringify(plan.draft)) plan.typed?.clear();
}

function repositoryOf({ draft }: DeploymentPlan): string | undefined {
  return draft.source === 'repohost' ? draft.repositoryUrl : undefined;
}

/** Asks for the ref of all deployments that share one, with the plan of the first. */
export async function pickSharedRef(
  { services, setShared }: PageContext,
  plan: DeploymentPlan | undefined,
): Promise<void> {
  if (plan === undefined) return;
  const changed: DeploymentPlan = { ...plan, draft: structuredClone(plan.draft) };
  await editField(services, changed, 'ref');
  if (changed.draft.source === 'repohost') {
    await setShared([{ path: [draftFields.ref.key], value: deploymentRefText(changed.draft.ref) }]);
  }
}

/** Writes what another plan has into the file, where it differs. */
async function write(
  { file, deployment, replace }: PageSubject,
  plan: DeploymentPlan,
  changed: DeploymentPlan,
): Promise<void> {
  const compared = (each: DeploymentPlan) => ({
    draft: each.draft,
    configPath: configPathIn(each.draft, file, workingCopyOf(each)),
  });
  await replace(deployment, (text) => textAfterEdit(withDraftValues(text, compared(plan), compared(changed))));
}
