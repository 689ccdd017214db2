import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Source } from '../../api/schema/enums.ts';
import { beginDraft } from '../../core/draft/begunDraft.ts';
import { nameFor } from '../../core/draft/deploymentName.ts';
import { emptyDraft } from '../../core/draft/draft.ts';
import type { DraftWithFindings } from '../../core/draft/findings.ts';
import { draftLike } from '../../core/draft/likeThis.ts';
import { fieldsOf } from '../../core/draft/fields.ts';
import { askRevision, type AskingStores } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { chooseDeployment, type ChoiceServices } from '../deployments/chooseDeployment.ts';
import { readRecord, requireCapability } from '../deployments/sendChange.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { readingWords, whileAsking } from '../window/waiting.ts';
import { deployCurrentRepository, fillFromBefore, usualConfigFile } from './deploy.ts';
import { sourceItems } from './fields/fieldQuestions.ts';
import type { OfferServices } from './live/offerDeployed.ts';
import { openDraft } from './deploymentDrafts.ts';

interface StartItem extends vscode.QuickPickItem {
  readonly start?: () => Promise<void>;
}

/**
 * Opens the page of a new deployment from any of the five sources.
 * @param argument the resources of the resource form, if it started this
 */
export async function createDeployment(
  services: OfferServices & Pick<Services, 'deploymentPages' | 'remoteAddresses' | 'secrets'>,
  session: ReadySession,
  argument?: unknown,
): Promise<void> {
  const open: StartItem = {
    label: vscode.l10n.t('Open Repository'),
    detail: vscode.l10n.t('Built from the repository that is open in the editor.'),
    start: () => deployCurrentRepository(services, session, argument),
  };
  const canRead = vscode.workspace.isTrusted && (vscode.workspace.workspaceFolders ?? []).length > 0;
  const choice = await askChoice<StartItem>({
    title: vscode.l10n.t('Create Deployment'),
    placeholder: vscode.l10n.t('Select what the deployment is made from'),
    items: [
      ...(canRead ? [open, { label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
      ...sourceItems().map(({ source, ...item }) => ({
        ...item,
        start: () => createFrom(services, session, source, argument),
      })),
    ],
  });
  await choice?.start?.();
}

async function createFrom(
  services: Pick<Services, 'deploymentPages' | 'secrets' | 'workspaceMemory'>,
  session: ReadySession,
  source: Source,
  argument: unknown,
): Promise<void> {
  const draft = emptyDraft(source, session.connection.name);
  draft.provenance.source = { kind: 'user' };
  if (draft.source === 'repohost') {
    draft.configPath = usualConfigFile(session);
    draft.provenance.configPath = { kind: 'suggested' };
    // Only a deployment with a name can be checked, and nothing else is needed to choose a repository.
    draft.name = nameFor(draft);
    draft.provenance.name = { kind: 'suggested' };
  }
  const findings = await fillFromBefore(services, session, draft, { argument });
  await openDraft(services, `create ${source}`, beginDraft({ draft, findings }));
}

/**
 * Opens the page of another deployment with everything that one has, from its active revision.
 * The page can move it to another connection, which finds the integration again.
 */
export async function createDeploymentLikeThis(
  services: ChoiceServices & Pick<Services, 'deploymentPages' | 'secrets'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Create Similar Deployment');
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return;
  const { draft, findings } = await copyDeployment(services, session, deployment, title);
  const unread = await useStoredSecrets(services.secrets, session.connection, draft);
  const begun = beginDraft({ draft, findings: [...findings, ...unread] });
  await openDraft(services, `like ${deployment.id}`, begun);
}

/**
 * Opens the page of what a deployment has, which gives it a new revision.
 * @throws {UserError} the service can't change a deployment
 */
export async function changeDeployment(
  services: ChoiceServices & Pick<Services, 'capabilities' | 'deploymentPages'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  requireCapability(services, session, 'update');
  const title = vscode.l10n.t('Change Deployment');
  const chosen = await chooseDeployment(services, argument, title);
  if (chosen === undefined) return;
  const words = readingWords(chosen.name);
  const deployment = await whileAsking(session, { title, words }, (client, signal) =>
    readRecord(services, session, chosen, client, signal),
  );
  const { name } = session.connection;
  const begun = {
    ...beginDraft(await copyForChange(services, session, deployment, title), name),
    changes: deployment.id,
  };
  await openDraft(services, `change ${name} ${deployment.id}`, begun);
}

/** A draft of what a deployment has, which gives it a new revision. */
export async function copyForChange(
  stores: AskingStores,
  session: ReadySession,
  deployment: Deployment,
  title: string,
): Promise<DraftWithFindings> {
  const copy = await copyDeployment(stores, session, deployment, title, true);
  const { draft } = copy;
  for (const field of fieldsOf(draft)) draft.provenance[field] = { kind: 'deployed' };
  return copy;
}

/**
 * A draft with everything that a deployment has, as its active revision and the service say; without an active one, as
 * its latest revision says.
 * @param isChange whether the draft is for the deployment itself, of which the latest revision counts
 * @throws {UserError} its source is unknown
 */
export async function copyDeployment(
  stores: AskingStores,
  session: ReadySession,
  deployment: Deployment,
  title: string,
  isChange = false,
): Promise<DraftWithFindings> {
  const words = readingWords(deployment.name);
  const { name: connection } = session.connection;
  const { id: deploymentId, active_revision_id: revisionId, source_config: config } = deployment;
  const [revision, listener] = await whileAsking(session, { title, words }, (client, signal) =>
    Promise.all([
      isChange || revisionId === undefined
        ? undefined
        : askRevision(stores, client, { connection, deploymentId, revisionId }, { signal }),
      config?.listener_id === undefined ? undefined : client.listeners.find(config.listener_id, { signal }),
    ]),
  );
  const copy = draftLike(deployment, { connectionName: connection, revision, listener, isChange });
  if (copy !== undefined) return copy;
  throw new UserError(vscode.l10n.t('The source of "{0}" is unknown, so it can\'t be copied.', deployment.name));
}
