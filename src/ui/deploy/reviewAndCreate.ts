import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { continued } from '../../core/draft/continued.ts';
import { nameFor } from '../../core/draft/deploymentName.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { forgettingSecrets } from '../../core/secrets/forgettingSecrets.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { keptText, ReviewedDrafts } from '../../state/deploying/reviewedDrafts.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';
import type { Services } from '../services.ts';
import { gitFailureOf, isCancelled, messageOf, requestIdOf } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { checkPlan, listedOf } from './checkPlan.ts';
import { type DeploymentPlan, suggestionOf, workingCopyOf } from './plan.ts';
import { openConfig } from './configFile.ts';
import { editField } from './fields/editField.ts';
import { chooseOption } from './fields/fieldQuestions.ts';
import { fetchRemote, runPush } from './gitActions.ts';
import { importEnv } from './secrets/importSecrets.ts';
import { moveDraft } from './moveDraft.ts';
import { showReview, type ReviewChoice, type ReviewField } from './review.ts';
import { sendDraft } from './sendDraft.ts';
import { showRequest } from './showRequest.ts';

/**
 * Shows the review until the user deploys or cancels, then follows and shows the new deployment.
 * The values of the draft's secrets are forgotten in any case.
 * @param findings findings about how the draft was made, for the user
 * @param keptPlace where the draft is kept, if it is continued
 */
export async function reviewAndCreate(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  findings: readonly Finding[] = [],
  keptPlace?: string,
): Promise<void> {
  const created = await forgettingSecrets([plan], () =>
    reviewUntilCreated(services, session, plan, findings, keptPlace),
  );
  if (created !== undefined) await showCreated(services, created);
}

/** A deployment and the session that created it. */
interface Created {
  readonly deployment: Deployment;
  readonly session: ReadySession;
  /** Whether the review moved to another connection. */
  readonly isMoved: boolean;
}

/**
 * Shows the review and applies edits until a deployment is created or the user cancels.
 * A failed or canceled request loses no input. The review of one of several applications creates nothing.
 */
export async function reviewUntilCreated(
  services: Services,
  first: ReadySession,
  plan: DeploymentPlan,
  firstFindings: readonly Finding[],
  keptPlace?: string,
): Promise<Created | undefined> {
  const { title, together } = plan;
  const { workspaceMemory: memory, clock, secrets } = services;
  const isOneOfSeveral = together !== undefined;
  const existing = new ExistingDeployments();
  let suggestedName = suggestionOf(plan);
  let session = first;
  // Before a kept draft is compared: it has the names of stored secrets.
  let findings: readonly Finding[] = [...firstFindings, ...(await useStoredSecrets(secrets, session.connection, plan))];
  const drafts = new ReviewedDrafts(plan.draft, { memory, clock, continuedPlace: keptPlace, isOneOfSeveral });
  let mayExist = false;
  let refusedAsBehind = false;
  let active: ReviewField | undefined;
  const confirmed = new Set<string>();
  const isTaken = (name: string): boolean =>
    existing.lookUp(name) === 'found' || listedOf(services, session).some((row) => row.name === name);
  for (;;) {
    const { draft } = plan;
    const repository = workingCopyOf(plan);
    const unneeded = new AbortController();
    const { signal } = unneeded;
    const checking = checkPlan(services, session, plan, {
      existing,
      suggestedName,
      told: findings,
      mayExist,
      refusedAsBehind,
      signal,
    });
    // These findings stand above the fields; returning to another field further down would hide them.
    if (findings.length > 0) active = findings.find(({ field }) => field !== undefined)?.field;
    const review = { title, draft, lastFindings: findings, active, kept: drafts.offered, repository };
    const offersSeveral = plan.deploySeveral !== undefined && draft.source === 'repohost';
    const choice = await showReview({ ...review, offersSeveral, isOneOfSeveral }, checking);
    unneeded.abort();
    findings = [];
    mayExist = false;
    refusedAsBehind = false;
    if (choice === undefined || (choice.kind === 'deploy' && isOneOfSeveral)) return undefined;
    if (choice.kind === 'deploySeveral') {
      if (await plan.deploySeveral?.(session, session !== first)) return undefined;
      continue;
    }
    if (choice.kind === 'deploy') {
      const question = vscode.l10n.t('Deploy {0} to {1}?', draft.name, draft.connectionName);
      if (!(await confirmWarnings(question, (await checking).findings, confirmed))) continue;
      // Keep a name that was sent: whether it is taken now tells the outcome.
      suggestedName = undefined;
      const outcome = await sendDraft(services, session, plan, existing.lookUp(draft.name) === 'notFound');
      if (outcome.kind === 'created') {
        await drafts.forgetOwn();
        return { deployment: outcome.deployment, session, isMoved: session !== first };
      }
      ({ findings, mayExist } = outcome);
      existing.forget();
      continue;
    }
    const before = keptText(draft);
    try {
      if (choice.kind === 'edit') {
        const field = choice.field === 'moreOptions' ? await chooseOption(title, draft) : choice.field;
        active = field ?? choice.field;
        const name = nameFor(draft);
        if (field === 'connection') {
          const move = await moveDraft(services, session, plan);
          if (move.session !== session) existing.forget();
          ({ session, findings } = move);
        } else if (field !== undefined) {
          findings = await editField(services, session, plan, field, isTaken);
          if (plan.draft.provenance.name?.kind === 'user') suggestedName = undefined;
        }
        // The name follows the config file or the image until the user types one.
        if (plan.draft.provenance.name?.kind === 'suggested' && nameFor(plan.draft) !== name) {
          suggestedName = nameFor(plan.draft);
          plan.draft.name = suggestedName;
        }
        await (plan.draft.source === draft.source ? drafts.keepChange(plan.draft, before) : drafts.keepFormer(draft));
      } else if (choice.kind === 'continueDraft') {
        const kept = drafts.takeOffered();
        if (kept !== undefined) ({ draft: plan.draft, findings } = continued(kept, draft));
        suggestedName = suggestionOf(plan);
      } else if (choice.kind === 'discardDraft') {
        await drafts.discardOffered();
      } else if (choice.kind === 'showRequest') {
        await showRequest(services, session, draft);
      } else if (choice.kind === 'importEnv') {
        const { envFile } = await checking;
        if (repository !== undefined && envFile !== undefined) await importEnv(repository.root, plan, envFile);
        await drafts.keepChange(plan.draft, before);
      } else if (choice.kind === 'openConfig') {
        if (repository !== undefined && draft.source === 'repohost') {
          await openConfig(repository, draft.configPath, (await checking).appConfig);
        }
      } else if (choice.kind === 'showDeployment') {
        const { id: deploymentId, name } = choice.deployment;
        await showDeploymentDocument({ connection: session.connection.name, deploymentId, name });
      } else if (repository !== undefined && draft.source === 'repohost') {
        if (choice.kind === 'fetch') await fetchRemote(title, repository);
        else await runPush({ title, repository, ref: draft.ref, configPath: draft.configPath }, choice.action);
      }
      findings = [...findings, ...(await useStoredSecrets(secrets, session.connection, plan))];
    } catch (error) {
      services.log.error(`review of a deployment: ${messageOf(error)}${requestIdOf(error)}`);
      // Git may still ask for a password, and the review would close its question.
      if (isCancelled(error) && (choice.kind === 'fetch' || choice.kind === 'push')) return undefined;
      findings = failureFindings(choice, error);
      refusedAsBehind = gitFailureOf(error) === 'behind';
    }
  }
}

/** Asks about warnings that the user hasn't confirmed yet. False if they go back to the review. */
export async function confirmWarnings(
  question: string,
  findings: readonly Finding[],
  confirmed: Set<string>,
): Promise<boolean> {
  // The same words about another name or connection are another warning.
  const keyOf = ({ message }: Finding): string => JSON.stringify([question, message]);
  const warnings = findings.filter((finding) => finding.severity === 'warning' && !confirmed.has(keyOf(finding)));
  if (warnings.length === 0) return true;
  const anyway = { label: vscode.l10n.t('$(warning) Deploy Anyway') };
  const choice = await askChoice({
    title: question,
    placeholder:
      warnings.length === 1
        ? vscode.l10n.t('The review has 1 warning')
        : vscode.l10n.t('The review has {0} warnings', warnings.length),
    items: [anyway, { label: vscode.l10n.t('Back to Review') }],
  });
  if (choice !== anyway) return false;
  for (const finding of warnings) confirmed.add(keyOf(finding));
  return true;
}

/** Turns a failure into findings, because ending the review would lose the input, including secrets. */
function failureFindings({ kind }: ReviewChoice, error: unknown): readonly Finding[] {
  if (isCancelled(error)) return [];
  // Git may quote a remote's address with a password; `messageOf` removes it.
  const reason = messageOf(error);
  switch (kind) {
    case 'fetch':
    case 'push':
      return [finding('warning', reason)];
    case 'openConfig':
      return [finding('warning', vscode.l10n.t("Couldn't open the config file: {0}", reason))];
    case 'showDeployment':
      return [finding('warning', vscode.l10n.t("Couldn't show the deployment: {0}", reason))];
    case 'importEnv':
      return [finding('warning', vscode.l10n.t("Couldn't import the secrets: {0}", reason))];
    case 'showRequest':
      return [finding('warning', vscode.l10n.t("Couldn't show the request: {0}", reason))];
    case 'edit':
    case 'continueDraft':
    case 'discardDraft':
    case 'deploy':
    case 'deploySeveral':
      return [finding('warning', vscode.l10n.t('The change failed: {0}', reason))];
  }
}

/**
 * Adds the new deployment to the list, follows it and shows its row.
 * The workspace now uses the connection that the review moved to. If the window has switched to another connection
 * meanwhile, the deployment is only followed.
 */
export async function showCreated(services: Services, { deployment, session, isMoved }: Created): Promise<void> {
  const { connections, deployments, views, follower, activity } = services;
  const { name: connection } = session.connection;
  if (isMoved) {
    await connections.select(connection);
    await deployments.load();
  }
  const isListed = (): boolean =>
    connections.session.kind !== 'none' && connections.session.connection.name === connection;
  const revisionId = deployment.latest_revision_id;
  const id = revisionId === undefined ? undefined : { connection, deploymentId: deployment.id, revisionId };
  // Before the row appears, because a new row of this workspace starts a follow of its own, as a push.
  if (id !== undefined) void activity.begin('created', id, deployment);
  if (isListed()) deployments.add(deployment);
  if (id !== undefined) await follower.follow(id, { deployment });
  if (isListed()) await views.deployments.reveal({ kind: 'deployment', ids: [deployment.id] });
}
