import * as vscode from 'vscode';
import { continued, hasInput } from '../../core/draft/keptDraft.ts';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { emptyDraft, type DeploymentDraft } from '../../core/draft/draft.ts';
import { nameFor } from '../../core/draft/deploymentName.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { draftPlace } from '../../state/deploying/keptDrafts.ts';
import { keptText, ReviewedDrafts } from '../../state/deploying/reviewedDrafts.ts';
import { showDeploymentDocument } from '../deployments/showDeployment.ts';
import type { Services } from '../services.ts';
import { gitFailureOf, isCancelled, messageOf, requestIdOf } from '../window/errors.ts';
import { askChoice, PromptClosedError, type Asking } from '../window/steps.ts';
import { whileWaiting } from '../window/waiting.ts';
import { openRepositoryOf } from '../workspace/findRepository.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';
import { checkPlan, listedOf } from './checkPlan.ts';
import { type DeploymentPlan, suggestionOf, workingCopyOf } from './plan.ts';
import { openConfig } from './configFile.ts';
import { editField } from './fields/editField.ts';
import { chooseOption } from './fields/fieldQuestions.ts';
import { saveDeploymentFile } from './file/saveFile.ts';
import { fetchRemote, runPush } from './gitActions.ts';
import { importEnv } from './secrets/importSecrets.ts';
import { moveDraft } from './moveDraft.ts';
import { showReview, type ReviewChoice, type ReviewField } from './review.ts';
import { sendDraft, showRequest, showCreated, type Created } from './sendDraft.ts';

/** The command that a review belongs to. */
export interface CommandStart {
  /** Identifies the command and what it deploys, so that it continues the review if the user leaves it. */
  readonly start: string;
  /** Starts the command again, without a review to continue. */
  readonly startOver: () => Promise<void>;
}

/** What a review shows and starts with. */
interface ReviewStart extends CommandStart {
  /** Findings about how the draft was made. */
  readonly findings?: readonly Finding[];
  /** Where the draft is kept, if it is continued. */
  readonly keptPlace?: string;
  /** Asks what the draft can't do without. */
  readonly askFirst?: () => Promise<readonly Finding[]>;
}

/** A review that the user left, to be continued. */
export interface LeftReview {
  readonly plan: DeploymentPlan;
  /** The connection of the window. */
  readonly windowConnection: string;
  /** In milliseconds since 1970. */
  readonly leftAt: number;
}

/**
 * Shows the review until the user deploys or leaves it, then follows and shows the new deployment.
 * A review that is left stays in the window's memory for a while, with the values of its secrets: any other quick input,
 * such as git's, closes it.
 * @param first the session of the window
 */
export async function reviewAndCreate(
  services: Services,
  plan: DeploymentPlan,
  { findings = [], keptPlace, askFirst, ...start }: ReviewStart,
  first = plan.session,
): Promise<void> {
  let end: ReviewEnd = { kind: 'left' };
  try {
    const told = [...findings, ...((await askFirst?.()) ?? [])];
    end = await reviewUntilCreated(services, first, plan, told, keptPlace);
  } finally {
    if (end.kind === 'left') leaveReview(services, start.start, plan, first);
  }
  if (end.kind === 'left') return;
  plan.draft.secrets = [];
  plan.typed?.clear();
  if (end.kind === 'created') await showCreated(services, end);
  if (end.kind === 'startOver') await start.startOver();
}

/**
 * Continues the review that the same command left in this window. False if there is none.
 * The connection of the window, the branch that is checked out and the resources of the argument count as they are now.
 */
export async function continueReview(
  services: Services,
  session: ReadySession,
  start: CommandStart,
  { repository: open, argument }: { readonly repository?: WorkspaceRepository; readonly argument?: unknown } = {},
): Promise<boolean> {
  const left = services.leftReviews.take(start.start);
  if (left === undefined) return false;
  const { plan } = left;
  const repository =
    open ?? (plan.repository && (await openRepositoryOf(services.remoteAddresses, plan.draft, plan.title)));
  const { name } = session.connection;
  const isMoved = left.windowConnection === name && plan.draft.connectionName !== name;
  plan.session = (isMoved ? await sessionAgain(services, plan.draft.connectionName) : undefined) ?? session;
  const present = emptyDraft(plan.draft.source, plan.session.connection.name);
  takeResources(present, argument);
  const { draft, findings } = continued({ draft: plan.draft, leftOut: [] }, present);
  const { ref } = draft.provenance;
  if (draft.source === 'repohost' && ref?.kind === 'checkedOut') draft.ref = repository?.checkedOut ?? draft.ref;
  plan.draft = draft;
  plan.repository = repository ?? plan.repository;
  plan.continuedFrom = left.leftAt;
  await reviewAndCreate(services, plan, { ...start, findings, keptPlace: draftPlace(draft) }, session);
  return true;
}

/** A session of a connection as it is now; undefined if that can't be used any longer. */
async function sessionAgain(
  { connections }: Pick<Services, 'connections'>,
  connection: string,
): Promise<ReadySession | undefined> {
  const present = connections.find(connection);
  const session = present === undefined ? undefined : await connections.sessionOf(present);
  return session?.kind === 'ready' ? session : undefined;
}

/** Keeps a review in the window's memory, so that the same command continues it. */
export function leaveReview(
  { leftReviews, clock }: Pick<Services, 'leftReviews' | 'clock'>,
  start: string,
  plan: DeploymentPlan,
  { connection }: ReadySession,
): void {
  const hasTyped = (plan.together ?? [plan]).some(({ draft, typed }) => hasInput(draft) || typed?.size);
  if (hasTyped) leftReviews.leave(start, { plan, windowConnection: connection.name, leftAt: clock.now() });
}

/** How a review ended: `left` if it was closed, `back` if the user returned to the list of applications. */
type ReviewEnd =
  | ({ readonly kind: 'created' } & Created)
  | { readonly kind: 'left' | 'back' | 'startOver' | 'several' };

/**
 * Shows the review and applies edits until a deployment is created or the user leaves it.
 * A failed or canceled request loses no input. The review of one of several applications creates nothing.
 * @param first the session of the window
 */
export async function reviewUntilCreated(
  services: Services,
  first: ReadySession,
  plan: DeploymentPlan,
  firstFindings: readonly Finding[],
  keptPlace?: string,
): Promise<ReviewEnd> {
  const { title } = plan;
  const { workspaceMemory: memory, clock, secrets } = services;
  const existing = new ExistingDeployments();
  let suggestedName = suggestionOf(plan);
  const readSecrets = async (): Promise<readonly Finding[]> => useStoredSecrets(secrets, plan.session.connection, plan);
  // Before a kept draft is compared: it has the names of stored secrets.
  let findings: readonly Finding[] = [...firstFindings, ...(await readSecrets())];
  const isOneOfSeveral = plan.together !== undefined;
  const drafts = new ReviewedDrafts(plan.draft, { memory, clock, continuedPlace: keptPlace, isOneOfSeveral });
  let refusedAsBehind = false;
  let active: ReviewField | undefined;
  const confirmed = new Set<string>();
  const isTaken = (name: string): boolean =>
    existing.lookUp(name) === 'found' || listedOf(services, plan.session).some((row) => row.name === name);
  for (;;) {
    const { draft, session } = plan;
    const repository = workingCopyOf(plan);
    const unneeded = new AbortController();
    const { signal } = unneeded;
    const checking = checkPlan(services, plan, { existing, suggestedName, told: findings, refusedAsBehind, signal });
    // These findings stand above the fields; returning to another field further down would hide them.
    if (findings.length > 0) active = findings.find(({ field }) => field !== undefined)?.field;
    const choice = await showReview({ plan, lastFindings: findings, active, kept: drafts.offered }, checking);
    unneeded.abort();
    findings = [];
    refusedAsBehind = false;
    if (choice === undefined) return { kind: 'left' };
    if (choice.kind === 'back') return { kind: 'back' };
    if (choice.kind === 'startOver') {
      await drafts.forgetOwn();
      return { kind: 'startOver' };
    }
    if (choice.kind === 'deploySeveral') {
      if (await plan.deploySeveral?.(session !== first)) return { kind: 'several' };
      continue;
    }
    if (choice.kind === 'deploy') {
      const question = vscode.l10n.t('Deploy {0} to {1}?', draft.name, draft.connectionName);
      if (!(await confirmWarnings(plan, question, (await checking).findings, confirmed))) continue;
      // Keep a name that was sent: whether it is taken now tells the outcome.
      suggestedName = undefined;
      const wasFree = existing.lookUp(draft.name) === 'notFound';
      const [name, connection] = [withoutIcons(draft.name), withoutIcons(draft.connectionName)];
      const words = vscode.l10n.t('Creating {0} on {1}…', name, connection);
      const outcome = await whileWaiting({ title, words }, (signal) => sendDraft(services, plan, wasFree, signal));
      if (outcome.kind === 'created') {
        await drafts.forgetOwn();
        return { kind: 'created', deployment: outcome.deployment, session, isMoved: session !== first };
      }
      ({ findings } = outcome);
      existing.forget();
      continue;
    }
    const before = keptText(draft);
    try {
      if (choice.kind === 'edit') {
        const field =
          choice.field === 'moreOptions' ? await chooseOption({ title, review: plan }, draft) : choice.field;
        active = field ?? choice.field;
        const name = nameFor(draft);
        if (field === 'connection') {
          findings = await moveDraft(services, plan);
          if (plan.session !== session) existing.forget();
        } else if (field !== undefined) {
          findings = await editField(services, plan, field, isTaken);
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
        await showRequest(services, plan);
      } else if (choice.kind === 'saveFile') {
        findings = await saveDeploymentFile(plan);
      } else if (choice.kind === 'importEnv') {
        if (repository !== undefined) await importEnv(repository.root, plan, choice.path);
        await drafts.keepChange(plan.draft, before);
      } else if (choice.kind === 'openConfig') {
        if (repository !== undefined) await openConfig(repository, choice.config);
      } else if (choice.kind === 'showDeployment') {
        const { id: deploymentId, name } = choice.deployment;
        await showDeploymentDocument({ connection: session.connection.name, deploymentId, name });
      } else if (repository !== undefined && draft.source === 'repohost') {
        if (choice.kind === 'fetch') await fetchRemote(title, repository);
        else await runPush({ title, repository, ref: draft.ref, configPath: draft.configPath }, choice.action);
      }
      plan.typed?.clear();
      findings = [...findings, ...(await readSecrets())];
    } catch (error) {
      services.log.error(`review of a deployment: ${messageOf(error)}${requestIdOf(error)}`);
      // Git may still ask for a password, and any question here would close its own.
      const isOfGit = choice.kind === 'fetch' || choice.kind === 'push';
      if (error instanceof PromptClosedError || (isCancelled(error) && isOfGit)) {
        return { kind: 'left' };
      }
      findings = failureFindings(choice, error);
      refusedAsBehind = gitFailureOf(error) === 'behind';
    }
  }
}

/** Asks about warnings that the user hasn't confirmed yet. False if they go back to the review. */
export async function confirmWarnings(
  review: Asking,
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
    review,
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
    case 'saveFile':
      return [finding('warning', vscode.l10n.t("Couldn't save the file: {0}", reason))];
    case 'edit':
    case 'continueDraft':
    case 'discardDraft':
    case 'startOver':
    case 'deploy':
    case 'back':
    case 'deploySeveral':
      return [finding('warning', vscode.l10n.t('The change failed: {0}', reason))];
  }
}

/** Whether the resource form passes its resources; other callers pass none. */
export function hasResources(argument: unknown): argument is { readonly resourceSpec: unknown } {
  return typeof argument === 'object' && argument !== null && 'resourceSpec' in argument;
}

/** Takes the resources that the resource form passes. */
export function takeResources(draft: DeploymentDraft, argument: unknown): void {
  if (!hasResources(argument)) return;
  const { success, data } = resourceSpecWire.safeParse(argument.resourceSpec);
  if (!success) return;
  draft.resourceSpec = data;
  draft.provenance.resourceSpec = { kind: 'form' };
}
