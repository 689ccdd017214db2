import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { createRequest, isWhatWasRequested, refusedField } from '../../core/draft/createRequest.ts';
import { forgettingSecrets } from '../../core/secrets/forgettingSecrets.ts';
import type { Finding } from '../../core/draft/preflight.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import { showDeployment, showDeploymentDocument } from '../deployments/details.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/steps.ts';
import { checkPlan, reservedSecretNames, type DeploymentPlan, warning } from './checkPlan.ts';
import { openConfig } from './configFile.ts';
import { editListener, editNamespace } from './editListener.ts';
import { askCommand, askConfigPath, askDeploymentName, askDeploymentType, askRef, chooseOption } from './fields.ts';
import { moveDraft } from './moveDraft.ts';
import { showReview, type ReviewChoice, type ReviewField } from './review.ts';
import { editSecrets } from './secretsEditor.ts';

/** The outcome of a create request. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly deployment: Deployment }
  /** `mayExist` is true if the deployment may have been created anyway. */
  | { readonly kind: 'notCreated'; readonly findings: readonly Finding[]; readonly mayExist: boolean };

/**
 * Sends the draft once and waits for the answer until the user cancels.
 * A failed request may still have worked: if the name was free before, a matching deployment that exists now counts as
 * created. After a canceled request, the next check looks for the deployment.
 */
async function create(
  { log }: Services,
  session: ReadySession,
  { draft, title }: DeploymentPlan,
  nameWasFree: boolean,
): Promise<CreateOutcome> {
  const request = createRequest(draft);
  const isMade = nameWasFree ? (row: Deployment): boolean => isWhatWasRequested(request, row) : undefined;
  const words = vscode.l10n.t('Creating {0} on {1}…', withoutIcons(draft.name), withoutIcons(session.connection.name));
  try {
    const deployment = await whileWaiting({ title, words }, async (signal) => {
      const client = await unlessAborted(session.client(), signal);
      return client.deployments.create(request, { signal, isMade });
    });
    return { kind: 'created', deployment };
  } catch (error) {
    log.error(`create deployment: ${messageOf(error)}`);
    if (!isCancelled(error)) return { kind: 'notCreated', findings: [refusal(messageOf(error))], mayExist: false };
    const mayExist = error instanceof ApiError && error.sent;
    const message = mayExist
      ? vscode.l10n.t('The request was cancelled, but the service may have created {0}.', draft.name)
      : vscode.l10n.t('The request was cancelled before it was sent.');
    return { kind: 'notCreated', findings: [warning(message)], mayExist };
  }
}

function refusal(message: string): Finding {
  const field = refusedField(message);
  return field === undefined ? warning(message) : { ...warning(message), field };
}

/**
 * Shows the review until the user deploys or cancels, then follows and shows the new deployment.
 * The values of the draft's secrets are forgotten in any case.
 * @param findings findings about how the draft was made, for the user
 */
export async function reviewAndCreate(
  services: Services,
  session: ReadySession,
  plan: DeploymentPlan,
  findings: readonly Finding[] = [],
): Promise<void> {
  const created = await forgettingSecrets(plan.draft, () => reviewUntilCreated(services, session, plan, findings));
  if (created !== undefined) await showCreated(services, created);
}

/** A deployment and the session that created it; the review may have moved to another connection. */
interface Created {
  readonly deployment: Deployment;
  readonly session: ReadySession;
}

/**
 * Shows the review and applies edits until a deployment is created or the user cancels.
 * A failed or canceled request loses no input.
 */
async function reviewUntilCreated(
  services: Services,
  first: ReadySession,
  plan: DeploymentPlan,
  firstFindings: readonly Finding[],
): Promise<Created | undefined> {
  const { draft, repository, title } = plan;
  const existing = new ExistingDeployments();
  let suggestedName: string | undefined = draft.name;
  let session = first;
  let findings = firstFindings;
  let mayExist = false;
  let active: ReviewField | undefined;
  for (;;) {
    const unneeded = new AbortController();
    const checking = checkPlan(session, plan, {
      existing,
      listed: listedOf(services, session),
      suggestedName,
      mayExist,
      signal: unneeded.signal,
    });
    // These findings stand above the fields; returning to a field further down would hide them.
    if (findings.length > 0) active = undefined;
    const choice = await showReview(
      { title, draft, lastFindings: findings, active, remote: repository?.remote },
      checking,
    );
    unneeded.abort();
    findings = [];
    mayExist = false;
    if (choice === undefined) return undefined;
    if (choice.kind === 'deploy') {
      // Keep a name that was sent: whether it is taken now tells the outcome.
      suggestedName = undefined;
      const outcome = await create(services, session, plan, existing.lookUp(draft.name) === 'notFound');
      if (outcome.kind === 'created') return { deployment: outcome.deployment, session };
      ({ findings, mayExist } = outcome);
      existing.forget();
      // The deployment may exist, so refresh the list; the list reports its own errors.
      if (mayExist && services.connections.session === session) void services.deployments.refresh();
      continue;
    }
    try {
      if (choice.kind === 'edit') {
        const field = choice.field === 'moreOptions' ? await chooseOption(title, draft) : choice.field;
        active = field ?? choice.field;
        if (field === 'connection') {
          const move = await moveDraft(services, session, plan);
          if (move.session !== session) existing.forget();
          ({ session, findings } = move);
        } else if (field === 'listener') {
          findings = await editListener(services, session, plan);
        } else if (field !== undefined) {
          if (field === 'name') suggestedName = undefined;
          await editField(plan, field, services);
        }
      } else if (choice.kind === 'openConfig') {
        if (repository !== undefined) await openConfig(repository, draft.configPath, (await checking).appConfig);
      } else if (choice.kind === 'showDeployment') {
        await showExisting(services, session, choice.deployment);
      } else {
        await runGit(plan, choice.kind);
      }
    } catch (error) {
      services.log.error(`review of a deployment: ${messageOf(error)}`);
      findings = failureFindings(choice, error);
    }
  }
}

/** The loaded deployments, if the list belongs to this session. */
function listedOf({ connections, deployments }: Services, session: ReadySession): readonly Deployment[] {
  return connections.session === session ? readableEntries(deployments.state.entries) : [];
}

/** Shows an existing deployment: in the list of its own connection, otherwise as a document. */
async function showExisting(
  services: Services,
  session: ReadySession,
  { id, name }: NonNullable<Finding['deployment']>,
): Promise<void> {
  const deployment = { connection: session.connection.name, deploymentId: id, name };
  if (services.connections.session === session) await showDeployment(services, deployment);
  else await showDeploymentDocument(deployment);
}

/** Runs git. Git can't be stopped from here; canceling only stops the wait. */
async function runGit({ draft, repository, title }: DeploymentPlan, kind: 'fetch' | 'push'): Promise<void> {
  if (repository === undefined) return;
  const remote = withoutIcons(repository.remote);
  const words =
    kind === 'fetch'
      ? vscode.l10n.t('Fetching from {0}…', remote)
      : vscode.l10n.t('Pushing {0} to {1}…', withoutIcons(draft.ref.name), remote);
  const task = kind === 'fetch' ? repository.fetch() : repository.push(draft.ref.name);
  await whileWaiting({ title, words }, (signal) => unlessAborted(task, signal));
}

/** Turns a failure into findings, because ending the review would lose the input, including secrets. */
function failureFindings({ kind }: ReviewChoice, error: unknown): readonly Finding[] {
  if (isCancelled(error)) {
    return kind === 'fetch' || kind === 'push'
      ? [warning(vscode.l10n.t('Stopped waiting. Git may still finish.'))]
      : [];
  }
  // Git may quote a remote's address with a password; `messageOf` removes it.
  const reason = messageOf(error);
  switch (kind) {
    case 'fetch':
      return [warning(vscode.l10n.t('The fetch failed: {0}', reason))];
    case 'push':
      return [warning(vscode.l10n.t('The push failed: {0}', reason))];
    case 'openConfig':
      return [warning(vscode.l10n.t('The config file could not be opened: {0}', reason))];
    case 'showDeployment':
      return [warning(vscode.l10n.t('The deployment could not be shown: {0}', reason))];
    case 'edit':
    case 'deploy':
      return [warning(vscode.l10n.t('The change failed: {0}', reason))];
  }
}

async function editField(
  { draft, repository, title }: DeploymentPlan,
  field: Exclude<ReviewField, 'connection' | 'listener' | 'moreOptions'>,
  { resourceForms }: Services,
): Promise<void> {
  switch (field) {
    case 'name':
      draft.name = (await askDeploymentName(title, draft)) ?? draft.name;
      break;
    case 'ref':
      draft.ref = (await askRef(title, draft, repository)) ?? draft.ref;
      break;
    case 'configPath':
      draft.configPath = (await askConfigPath(title, draft, repository?.configPaths ?? [])) ?? draft.configPath;
      break;
    case 'deploymentType':
      draft.deploymentType = (await askDeploymentType(title, draft)) ?? draft.deploymentType;
      break;
    case 'buildOnPush':
      draft.buildOnPush = !draft.buildOnPush;
      break;
    case 'secrets':
      draft.secrets = [...(await editSecrets(draft.secrets, reservedSecretNames()))];
      break;
    case 'resourceSpec':
      draft.resourceSpec =
        (await resourceForms.edit(vscode.l10n.t('Resources of {0}', draft.name), draft.resourceSpec)) ??
        draft.resourceSpec;
      break;
    case 'kubernetesNamespace':
      await editNamespace(title, draft);
      break;
    case 'installCommand': {
      const prompt = vscode.l10n.t("Installs the application's packages. Leave empty to let the service do it.");
      draft.installCommand = await askCommand(title, prompt, draft.installCommand);
      break;
    }
    case 'buildCommand': {
      const prompt = vscode.l10n.t('Builds the application. Leave empty to let the service do it.');
      draft.buildCommand = await askCommand(title, prompt, draft.buildCommand);
      break;
    }
  }
}

/**
 * Adds the new deployment to the list, follows it and shows its row, without reloading the list.
 * If the window has switched to another connection meanwhile, the deployment is only followed.
 */
async function showCreated(services: Services, { deployment, session }: Created): Promise<void> {
  const { connections, deployments, views, follower } = services;
  const isListed = (): boolean => connections.session === session;
  if (isListed()) deployments.add(deployment);
  const revisionId = deployment.latest_revision_id;
  if (revisionId !== undefined) {
    await follower.follow(
      { connection: session.connection.name, deploymentId: deployment.id, revisionId },
      { deployment },
    );
  }
  if (isListed()) await views.deployments.reveal({ kind: 'deployment', ids: [deployment.id] });
}
