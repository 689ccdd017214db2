import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { createRequest } from '../../../core/draft/createRequest.ts';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { Session } from '../../../state/connections/session.ts';
import { typedKey } from '../../../state/deploying/typedSecrets.ts';
import { sendChange } from '../../deployments/sendChange.ts';
import type { Services } from '../../services.ts';
import { isCancelled, messageOf, requestIdOf, showError, UserError } from '../../window/errors.ts';
import { askChoice } from '../../window/steps.ts';
import { whileWaiting } from '../../window/waiting.ts';
import { folderRequest, sendFolder } from '../folder/sendFolder.ts';
import type { DeploymentPlan } from '../plan.ts';
import { failureFindings, lateKey, rememberDeployed, sendDraft, showCreated, showRequest } from '../sendDraft.ts';
import type { SentDeployment } from '../sendDraft.ts';
import type { CheckedDeployment } from './checkDeployment.ts';
import type { PageChecks } from './pageChecks.ts';
import type { PageContext } from './pageContext.ts';
import { forgetTyped } from './pageSecrets.ts';
import { changedWords } from './pageWords.ts';

/** Whether there is something to send for a deployment. */
export function hasRequest({ plan, update }: Partial<CheckedDeployment> = {}): boolean {
  return plan !== undefined && (update === undefined || update.change.patch !== undefined);
}

/** What would be sent for a deployment, without values of secrets and content, to see whether it is still what was shown. */
export function shownRequest(checked: CheckedDeployment | undefined): string {
  const { plan, update, folder } = checked ?? {};
  const files = folder?.contents.files.map(({ path }) => path);
  const draft = plan && { ...plan.draft, secrets: plan.draft.secrets.map(({ name }) => ({ name, value: '' })) };
  return JSON.stringify([plan?.session.connection, draft && createRequest(draft), update?.change.differences, files]);
}

/**
 * Shows the request of a deployment. If there are several, the user chooses one.
 * @param readNow checks the chosen deployment again
 * @returns words about the other requests of a folder; empty if there are none
 */
export async function showRequestOf<Item extends vscode.QuickPickItem>(
  services: Services,
  items: readonly Item[],
  readNow: (item: Item) => Promise<CheckedDeployment | undefined>,
): Promise<string> {
  const title = vscode.l10n.t('Show Request');
  const placeholder = vscode.l10n.t('Select the deployment whose request is shown');
  const chosen = items.length > 1 ? await askChoice({ title, placeholder, items }) : items[0];
  if (chosen === undefined) return '';
  const checked = await readNow(chosen);
  const { plan, update, folder } = checked ?? {};
  if (plan === undefined || !hasRequest(checked)) throw changedMeanwhile();
  const shown = folder === undefined ? { plan, update } : folderRequest(plan, update);
  await showRequest(services, shown.plan, shown.update);
  return folder === undefined ? '' : vscode.l10n.t('Other requests upload the folder.');
}

/** The error for a deployment whose request is no longer what was shown. */
export function changedMeanwhile(): UserError {
  return new UserError(
    vscode.l10n.t('What would be deployed has changed since the page showed it. Look at it and try again.'),
  );
}

/** What deployments are sent from. */
interface Sending {
  readonly checks: PageChecks;
  readonly context: Pick<PageContext, 'services' | 'typed' | 'begun' | 'document'>;
  /** The window's session when the user pressed the button. */
  readonly window: Session;
  /** The values of secrets that were typed until then. */
  readonly typed: ReadonlyMap<string, string>;
}

/** Deploys one after another. Returns why some weren't. */
export async function deployAll(sending: Sending, deployments: readonly FileDeployment[]): Promise<readonly string[]> {
  const { checks, context } = sending;
  const { services, begun } = context;
  const reasons: string[] = [];
  const { known } = checks;
  const all = deployments.map((each) => ({ deployment: each, ...known[checks.positionOf(each)] }));
  for (const { deployment, checked } of all) {
    if (checked?.plan === undefined) continue;
    const { plan } = checked;
    const { name } = deployment;
    const { session } = plan;
    const index = checks.positionOf(deployment);
    if (checks.deployments[index]?.text !== deployment.text) {
      reasons.push(changedWords(name));
      continue;
    }
    // Its name then stays.
    await begun?.change(index, (each) => ({
      ...each,
      isSent: true,
      sentAs: typedKey(name, session.connection.name, ''),
    }));
    const outcome = await deployChecked(services, plan, checked);
    if (outcome.kind === 'refused') {
      checks.noteRefused(deployment, checked, outcome.findings);
      const { late, created } = outcome;
      if (created !== undefined) await retarget(sending, deployment, created);
      if (late !== undefined) void noteLate(sending, deployment, plan, late);
      else if (!services.lateCreates.isSent(lateKey(plan))) {
        await begun?.change(checks.positionOf(deployment), (each) => ({ ...each, sentAs: undefined }));
      }
      if (outcome.isCancelled) return reasons;
      reasons.push(...outcome.findings.map(({ message }) => message));
    } else {
      await noteMade(sending, deployment, plan, outcome);
    }
  }
  return reasons;
}

/** Lets a draft go on with the deployment that was made of it, unless it changes another one. */
async function retarget({ checks, context }: Sending, of: FileDeployment, { id }: Deployment): Promise<void> {
  await context.begun?.change(checks.positionOf(of), (each) =>
    each.changes === undefined ? { ...each, changes: id, text: of.text } : each,
  );
  tellNext(checks, context);
}

/** If this page is closed, has the draft's next page read its state again. */
function tellNext({ isClosed }: PageChecks, { services, document }: Sending['context']): void {
  if (isClosed) services.deploymentPages.readAgain(document.uri);
}

/** Shows what became of a request without an answer. */
async function noteLate(
  sending: Sending,
  of: FileDeployment,
  plan: DeploymentPlan,
  late: Promise<Deployment | undefined>,
): Promise<void> {
  const { checks, context } = sending;
  try {
    const deployment = await late;
    // A folder is still to be uploaded.
    if (deployment !== undefined && checks.begunAt(checks.positionOf(of))?.folder !== undefined) {
      await retarget(sending, of, deployment);
    } else if (deployment !== undefined) {
      await noteMade(sending, of, plan, { deployment, kind: 'created' });
    }
    checks.facts.forget();
    await checks.check();
  } catch (error) {
    void showError(error, context.services.log);
  }
}

/** Follows a deployment that was made or changed, and forgets the secrets that were typed for it. */
async function noteMade(
  { checks, context, window, typed: sent }: Sending,
  of: FileDeployment,
  { session }: DeploymentPlan,
  { deployment, kind, isUnrevised = false }: Exclude<SentDeployment, { readonly kind: 'refused' }>,
): Promise<void> {
  const { services, typed, begun } = context;
  const made = checks.positionOf(of);
  const others = new Set(checks.deployments.flatMap(({ name }, index) => (index === made ? [] : [name])));
  forgetTyped(typed, sent, { deployment: of.name, connection: session.connection.name }, others);
  await checks.noteMade(of, session.connection.name, deployment, isUnrevised);
  if (checks.sharing.length === 0) await begun?.finish(checks.text);
  tellNext(checks, context);
  // The workspace can go to a connection that all deployments of the file are on, unless the user has switched meanwhile.
  const isCommon = checks.known.every(({ checked }) => (checked?.plan?.session ?? session) === session);
  const isMoved = isCommon && window !== session && services.connections.session === window;
  await showCreated(services, { deployment, session, isMoved, kind });
}

/** Creates a deployment, or gives one that exists a new revision, as it was checked. A refusal becomes findings. */
async function deployChecked(
  services: Services,
  plan: DeploymentPlan,
  { existing, update, folder }: CheckedDeployment,
): Promise<SentDeployment> {
  const { draft, title } = plan;
  const [name, connection] = [withoutIcons(draft.name), withoutIcons(draft.connectionName)];
  const wasFree = existing.lookUp(draft.name) === 'notFound';
  if (update !== undefined) {
    const sent = await (folder === undefined
      ? changeDeployed(services, plan, update)
      : sendFolder({ services, plan, folder, update, wasFree }));
    // What creates one remembers it as well, also if the deployment is found late.
    if (sent.kind !== 'refused') await rememberDeployed(services, plan, folder?.place.folder.toString());
    return sent;
  }
  if (folder !== undefined) return sendFolder({ services, plan, folder, update, wasFree });
  const words = vscode.l10n.t('Creating {0} on {1}…', name, connection);
  return whileWaiting({ title, words }, (signal) => sendDraft(services, plan, wasFree, signal));
}

async function changeDeployed(
  services: Services,
  { draft, session, title }: DeploymentPlan,
  { target, change: { patch, makesRevision } }: NonNullable<CheckedDeployment['update']>,
): Promise<SentDeployment> {
  const [name, connection] = [withoutIcons(draft.name), withoutIcons(draft.connectionName)];
  try {
    const deployment = await sendChange(services, session, {
      capability: 'update',
      deployment: target,
      waiting: { title, words: vscode.l10n.t('Changing {0} on {1}…', name, connection) },
      send: ({ changes }, signal) =>
        changes.update(target.id, patch ?? {}, { latest: target.latest_revision_id, signal }),
    });
    const isUnrevised = !makesRevision && deployment.latest_revision_id === target.latest_revision_id;
    return { kind: 'changed', deployment, isUnrevised };
  } catch (error) {
    services.log.error(`change a deployment: ${messageOf(error)}${requestIdOf(error)}`);
    return { kind: 'refused', findings: failureFindings(draft, error), isCancelled: isCancelled(error) };
  }
}
