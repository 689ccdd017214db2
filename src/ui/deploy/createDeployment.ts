import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Source } from '../../api/schema/enums.ts';
import { continued, draftTitle } from '../../core/draft/keptDraft.ts';
import { nameFor } from '../../core/draft/deploymentName.ts';
import { emptyDraft, type DeploymentDraft, type RepositoryDraft } from '../../core/draft/draft.ts';
import type { TextField } from '../../core/draft/fields.ts';
import { finding, type DraftWithFindings, type Finding } from '../../core/draft/findings.ts';
import { draftLike } from '../../core/draft/likeThis.ts';
import { sourceFacts } from '../../core/draft/sources.ts';
import { deploymentRefText, parseDeploymentRef } from '../../core/git/deploymentRef.ts';
import { formatMoment } from '../../core/status/duration.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { draftPlace, forgetDraft, keepDraft, keptDrafts, type KeptDraft } from '../../state/deploying/keptDrafts.ts';
import { chooseDeployment } from '../deployments/chooseDeployment.ts';
import { chooseRepository } from '../repositories/chooseRepository.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { askChoice, runSteps, type Step } from '../window/steps.ts';
import { whileAsking } from '../window/waiting.ts';
import { openRepositoryOf } from '../workspace/findRepository.ts';
import { deployCurrentRepository, deployListed, usualConfigFile } from './deploy.ts';
import { askField, sourceItems } from './fields/fieldQuestions.ts';
import { chooseIntegration } from './fields/repositoryQuestions.ts';
import type { DeploymentPlan } from './plan.ts';
import { continueReview, reviewAndCreate, takeResources, type CommandStart } from './reviewAndCreate.ts';
import { askMissingValues } from './secrets/secretValues.ts';

interface StartItem extends vscode.QuickPickItem {
  readonly start?: () => Promise<void>;
}

/** The command, with the resources of the resource form as its argument, if that started it. */
interface Creation {
  readonly services: Services;
  readonly session: ReadySession;
  readonly title: string;
  readonly argument: unknown;
}

/**
 * Creates a deployment from any of the five sources, or continues a draft that was left.
 * @param argument the resources of the resource form, if it started this
 */
export async function createDeployment(services: Services, session: ReadySession, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Create Deployment');
  const creation: Creation = { services, session, title, argument };
  if (await continueReview(services, session, startOf(creation), { argument })) return;
  const drafts = keptDrafts(services.workspaceMemory).map((kept) => ({
    ...kept,
    label: withoutIcons(draftTitle(kept.draft)),
    description: vscode.l10n.t('{0}, left {1}', sourceFacts[kept.draft.source].title(), formatMoment(kept.leftAt)),
  }));
  const left = drafts.map(({ label, description, ...kept }) => ({
    label: vscode.l10n.t('Continue {0}', label),
    description,
    start: () => continueDraft(creation, kept),
  }));
  const discard: StartItem = {
    label: vscode.l10n.t('Discard Draft…'),
    start: async () => {
      const kept = await askChoice({ title, placeholder: vscode.l10n.t('Select the draft to discard'), items: drafts });
      if (kept !== undefined) await forgetDraft(services.workspaceMemory, kept.place);
      await createDeployment(services, session, argument);
    },
  };
  const open: StartItem = {
    label: vscode.l10n.t('Open Repository'),
    detail: vscode.l10n.t('Built from the repository that is open in the editor.'),
    start: () => deployCurrentRepository(services, session, argument, startOf(creation)),
  };
  const canRead = vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
  const items: readonly StartItem[] = [
    ...left,
    ...(left.length === 0 ? [] : [discard]),
    ...(canRead ? [open] : []),
    ...(left.length === 0 && !canRead ? [] : [{ label: '', kind: vscode.QuickPickItemKind.Separator }]),
    ...sourceItems().map(({ source, ...item }) => ({ ...item, start: () => createFrom(creation, source) })),
  ];
  const choice = await askChoice<StartItem>({
    title,
    placeholder: vscode.l10n.t('Select what the deployment is made from'),
    items,
  });
  await choice?.start?.();
}

/** What the review of the command starts with. */
function startOf({ services, session, argument }: Creation): CommandStart {
  return { start: 'create', startOver: () => createDeployment(services, session, argument) };
}

/** Reviews a draft and creates it, with its working copy if that is open here. */
async function reviewDraft(
  creation: Creation,
  draft: DeploymentDraft,
  continuing: { readonly findings?: readonly Finding[]; readonly keptPlace?: string } = {},
): Promise<void> {
  const { services, session, title } = creation;
  const repository = await openRepositoryOf(services.remoteAddresses, draft, title);
  await reviewAndCreate(services, { title, session, draft, repository }, { ...startOf(creation), ...continuing });
}

async function continueDraft(creation: Creation, kept: KeptDraft): Promise<void> {
  const present = emptyDraft(kept.draft.source, creation.session.connection.name);
  takeResources(present, creation.argument);
  const { draft, findings } = continued(kept, present);
  await reviewDraft(creation, draft, { findings, keptPlace: kept.place });
}

async function createFrom(creation: Creation, source: Source): Promise<void> {
  const draft = emptyDraft(source, creation.session.connection.name);
  takeResources(draft, creation.argument);
  if (draft.source === 'repohost') return createFromRepository(creation, draft);
  if (await askSteps(creation.services, draft, stepsOf(creation.title, draft))) await reviewDraft(creation, draft);
}

/** The questions that a source without a repository can't do without. */
function stepsOf(title: string, draft: Exclude<DeploymentDraft, RepositoryDraft>): readonly Step[] {
  const name = textStep(title, draft, 'name');
  const suggest = (): void => suggestName(draft);
  switch (draft.source) {
    case 'external_docker':
    case 'internal_docker':
      return [textStep(title, draft, 'imageUri', suggest), name];
    case 'internal_source':
      return [textStep(title, draft, 'tarballPath', suggest), textStep(title, draft, 'configPath'), name];
    case 'internal_template':
      return [name];
  }
}

/** Suggests a name from what was answered so far, until the user types one. */
function suggestName(draft: DeploymentDraft): void {
  if (draft.provenance.name?.kind === 'user') return;
  draft.name = nameFor(draft);
  draft.provenance.name = { kind: 'suggested' };
}

async function createFromRepository(creation: Creation, draft: RepositoryDraft): Promise<void> {
  const { services, session, title, argument } = creation;
  const listed: StartItem = {
    label: vscode.l10n.t('Listed Repository…'),
    detail: vscode.l10n.t('One that an integration of {0} lists', session.connection.name),
    start: async () => {
      const repository = await chooseRepository(services, { title });
      const startedBy = startOf(creation);
      if (repository !== undefined) await deployListed(services, session, { title, repository, argument, startedBy });
    },
  };
  const other: StartItem = {
    label: vscode.l10n.t('Other Repository…'),
    detail: vscode.l10n.t('One that no integration lists: enter its URL'),
    start: () => createFromTypedRepository(creation, draft),
  };
  const choice = await askChoice<StartItem>({
    title,
    placeholder: vscode.l10n.t('Select the repository to deploy'),
    items: [listed, other],
  });
  await choice?.start?.();
}

async function createFromTypedRepository(creation: Creation, draft: RepositoryDraft): Promise<void> {
  const { services, session, title } = creation;
  draft.configPath = usualConfigFile(session);
  const ref: Step = async (place) => {
    const answer = await askField({ ...place, title }, 'ref', deploymentRefText(draft.ref));
    if (typeof answer !== 'string') return answer;
    draft.ref = parseDeploymentRef(answer);
    draft.provenance.ref = { kind: 'user' };
    return 'next';
  };
  const steps: readonly Step[] = [
    textStep(title, draft, 'repositoryUrl'),
    (place) => chooseIntegration(session, { ...place, title }, draft),
    ref,
    textStep(title, draft, 'configPath', () => suggestName(draft)),
  ];
  if (await askSteps(services, draft, steps)) await reviewDraft(creation, draft);
}

/**
 * Asks the steps in order. What was answered is kept for the next time, unless a draft is kept there already, which the
 * review then offers.
 */
async function askSteps(
  { workspaceMemory, clock }: Pick<Services, 'workspaceMemory' | 'clock'>,
  draft: DeploymentDraft,
  steps: readonly Step[],
): Promise<boolean> {
  let isAnswered = false;
  const noted = steps.map((step): Step => async (place) => {
    const answer = await step(place);
    isAnswered ||= answer === 'next';
    return answer;
  });
  try {
    return await runSteps(noted);
  } finally {
    const isKept = keptDrafts(workspaceMemory).some(({ place }) => place === draftPlace(draft));
    if (isAnswered && !isKept) await keepDraft(workspaceMemory, draft, clock.now(), undefined);
  }
}

/** Asks for a text of a draft. The suggested name is the user's only if they change it. */
function textStep<Field extends Exclude<TextField, 'ref'>>(
  title: string,
  draft: DeploymentDraft & Record<Field, string>,
  field: Field,
  after?: () => void,
): Step {
  const isOptional = draft.source === 'internal_source' && field === 'configPath';
  return async (place) => {
    const answer = await askField({ ...place, title, isOptional }, field, draft[field]);
    if (typeof answer !== 'string') return answer;
    if (field !== 'name' || answer !== draft.name) draft.provenance[field] = { kind: 'user' };
    Object.assign(draft, { [field]: answer });
    after?.();
    return 'next';
  };
}

/**
 * Creates another deployment with everything that one has, from its active revision.
 * The review can move it to another connection, which finds the integration and the listener again.
 */
export async function createDeploymentLikeThis(
  services: Services,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Create Similar Deployment');
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return;
  const startOver = async (): Promise<void> => createDeploymentLikeThis(services, session, argument);
  const start = { start: `like ${deployment.id}`, startOver };
  if (await continueReview(services, session, start)) return;
  const copy = await copyDeployment(session, deployment, title);
  const { draft, findings } = copy;
  const repository = await openRepositoryOf(services.remoteAddresses, draft, title);
  const plan: DeploymentPlan = { title, session, draft, repository };
  const unread = await useStoredSecrets(services.secrets, session.connection, plan);
  const askFirst = async (): Promise<readonly Finding[]> => {
    const names = draft.secrets.map(({ name }) => name);
    await askMissingValues(plan);
    const leftOut = names.filter((name) => !draft.secrets.some((secret) => secret.name === name));
    if (leftOut.length === 0) return [];
    return [finding('info', vscode.l10n.t('Secrets that were left out: {0}.', leftOut.join(', ')))];
  };
  await reviewAndCreate(services, plan, { ...start, findings: [...findings, ...unread], askFirst });
}

/**
 * A draft with everything that a deployment has, as its active revision and the service say.
 * @throws {UserError} its source is unknown
 */
export async function copyDeployment(
  session: ReadySession,
  deployment: Deployment,
  title: string,
): Promise<DraftWithFindings> {
  const words = vscode.l10n.t('Reading {0}…', withoutIcons(deployment.name));
  const { revision, listener, integrationName } = await whileAsking(
    session,
    { title, words },
    async (client, signal) => {
      const { active_revision_id: active, source_config: config } = deployment;
      const [revision, listener, integrations] = await Promise.all([
        active === undefined ? undefined : client.revisions.get(deployment.id, active, { signal }),
        config?.listener_id === undefined ? undefined : client.listeners.find(config.listener_id, { signal }),
        // The name only helps to recognize the integration.
        config?.integration_id === undefined ? [] : client.integrations.listInstallations({ signal }).catch(() => []),
      ]);
      const integration = integrations.find((row) => row.id === config?.integration_id);
      const integrationName = integration !== undefined && 'name' in integration ? integration.name : undefined;
      return { revision, listener, integrationName };
    },
  );
  const connectionName = session.connection.name;
  const copy = draftLike(deployment, { connectionName, revision, listener, integrationName });
  if (copy !== undefined) return copy;
  throw new UserError(vscode.l10n.t('The source of "{0}" is unknown, so it can\'t be copied.', deployment.name));
}
