import * as vscode from 'vscode';
import { isRecord } from '../../api/schema/json.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { hasBuildLog } from '../../core/logs/availableLogs.ts';
import type { LogFilter, LogSubject } from '../../core/logs/logSubject.ts';
import { LOG_LEVELS } from '../../api/resources/logs.ts';
import { missingCapability } from '../../core/resources/capabilities.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import { readRevision } from '../../state/answers/ask.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { chooseDeployment, deploymentOfLink, type ChoiceServices } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { showDocument } from '../window/documentUri.ts';
import { UserError } from '../window/errors.ts';
import { askChoice, askText, back } from '../window/steps.ts';
import { logOf, logUri } from './logUri.ts';

/** Shows the log of the build of a revision, or of the latest one of a deployment. A failed one opens at its first error. */
export async function showBuildLog(
  services: ChoiceServices & Pick<Services, 'capabilities' | 'connections' | 'documents' | 'follower'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const target = await chooseTarget(services, session, argument, vscode.l10n.t('Show Build Log'));
  if (target === undefined) return;
  const { connection, deployment, revisionId = deployment.latest_revision_id } = target;
  const { name } = deployment;
  if (revisionId === undefined) throw new UserError(vscode.l10n.t('"{0}" has no revision yet.', name));
  const revision = await readRevision(services, { connection, deploymentId: deployment.id, revisionId });
  if (!hasBuildLog(deployment, revision)) {
    throw new UserError(vscode.l10n.t('"{0}" has no build log: nothing was built for this revision.', name));
  }
  services.follower.markSeen((each) => each.connection === connection && each.deploymentId === deployment.id);
  const isFailed = revisionStatusView(statusOf(revision)).phase === 'failed';
  const title = `${name} ${revisionTitle(revision)}`;
  const subject = { connection, type: 'build', deploymentId: deployment.id, revisionId, filter: {}, title } as const;
  await showLog(services, subject, isFailed);
}

/** Shows what a deployed application prints: that of a deployment, whatever its revision, or of one revision. */
export async function showApplicationLog(
  services: ChoiceServices & Pick<Services, 'capabilities' | 'connections' | 'documents'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const target = await chooseTarget(services, session, argument, vscode.l10n.t('Show Application Log'));
  if (target === undefined) return;
  const { connection, deployment, revisionId } = target;
  const log = { connection, deploymentId: deployment.id, filter: {} };
  if (revisionId !== undefined) {
    const revision = await readRevision(services, { connection, deploymentId: deployment.id, revisionId });
    const title = `${deployment.name} ${revisionTitle(revision)}`;
    await showLog(services, { ...log, type: 'deploy', revisionId, title });
    return;
  }
  const { active_revision_id: active, name: title } = deployment;
  if (active === undefined) throw new UserError(vscode.l10n.t('No revision of "{0}" is live yet.', title));
  await showLog(services, { ...log, type: 'application', revisionId: active, title });
}

/** Changes the filter of a log, which the service applies, in another document. */
export async function filterLog(services: Pick<Services, 'documents'>, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const subject = uri && logOf(uri);
  if (subject === undefined) throw new UserError(vscode.l10n.t('Open a log first.'));
  const filter = await askFilter(subject);
  if (filter !== undefined) await showLog(services, { ...subject, filter });
}

/** Loads the page before the oldest lines of a log. */
export async function loadOlderLines({ documents }: Pick<Services, 'documents'>, argument: unknown): Promise<void> {
  const uri =
    typeof argument === 'string' ? vscode.Uri.parse(argument, true) : vscode.window.activeTextEditor?.document.uri;
  if (uri !== undefined && logOf(uri) !== undefined) await (await documents.logs()).loadOlder(uri);
}

interface LogTarget {
  readonly connection: string;
  readonly deployment: Deployment;
  /** Undefined for the deployment as a whole. */
  readonly revisionId: string | undefined;
}

/**
 * The deployment, and perhaps revision, of a command's row or link, or of the user's choice. Undefined if they cancel.
 * @throws {UserError} its service has no logs
 */
async function chooseTarget(
  services: ChoiceServices & Pick<Services, 'capabilities' | 'connections'>,
  { connection: { name } }: ReadySession,
  argument: unknown,
  title: string,
): Promise<LogTarget | undefined> {
  const { capabilities, connections, views } = services;
  const linked = deploymentOfLink(services, argument);
  const connection = linked?.connection ?? name;
  const service = connections.find(connection);
  if (service !== undefined && !capabilities.has(service, 'logs')) {
    throw new UserError(missingCapability('logs', connection));
  }
  const deployment = linked?.deployment ?? (await chooseDeployment(services, argument, title));
  if (deployment === undefined) return undefined;
  const row = linked === undefined ? views.deployments.rowOf(argument) : undefined;
  const given = isRecord(argument) && linked !== undefined ? argument['revisionId'] : undefined;
  const revisionId = row?.kind === 'revision' ? row.ids[1] : given;
  return { connection, deployment, revisionId: typeof revisionId === 'string' ? revisionId : undefined };
}

/** Opens a log at its end, or at its first error. One that is open already keeps its place. */
async function showLog(
  { documents }: Pick<Services, 'documents'>,
  subject: LogSubject,
  isAtError = false,
): Promise<void> {
  const uri = logUri(subject);
  const key = uri.toString();
  const isOpen = vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === key),
  );
  const title = vscode.l10n.t('Loading the log…');
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => showDocument(uri, 'log'));
  const editor = vscode.window.activeTextEditor;
  if (isOpen || editor?.document.uri.toString() !== key) return;
  // A document that was closed lately has the lines of then.
  const error = await (await documents.logs()).firstErrorLine(uri);
  const at = new vscode.Position((isAtError ? error : undefined) ?? editor.document.lineCount - 1, 0);
  editor.selection = new vscode.Selection(at, at);
  const { Default, InCenterIfOutsideViewport } = vscode.TextEditorRevealType;
  editor.revealRange(new vscode.Range(at, at), isAtError ? InCenterIfOutsideViewport : Default);
}

interface FilterItem extends vscode.QuickPickItem {
  readonly part: keyof LogFilter | 'none';
}

/** The new filter; undefined if the user cancels. */
async function askFilter({ filter, title }: LogSubject): Promise<LogFilter | undefined> {
  const items: FilterItem[] = [
    { part: 'level', label: vscode.l10n.t('Level'), description: filter.level ?? '' },
    { part: 'text', label: vscode.l10n.t('Text'), description: filter.text ?? '' },
  ];
  if (filter.level !== undefined || filter.text !== undefined) {
    items.push({ part: 'none', label: vscode.l10n.t('$(clear-all) Clear Filter') });
  }
  const placeholder = vscode.l10n.t('Select what to change; the service applies the filter');
  const choice = await askChoice({ title: vscode.l10n.t('Filter Log of {0}', title), placeholder, items });
  switch (choice?.part) {
    case undefined:
      return undefined;
    case 'none':
      return {};
    case 'level': {
      const level = await askChoice({
        title: vscode.l10n.t('Level'),
        placeholder: vscode.l10n.t('Select a level'),
        items: [
          { level: undefined, label: vscode.l10n.t('All') },
          ...LOG_LEVELS.map((known) => ({ level: known, label: known })),
        ],
      });
      return level && { ...filter, level: level.level };
    }
    case 'text': {
      const text = await askText({
        title: vscode.l10n.t('Text'),
        prompt: vscode.l10n.t('Leave empty to show all.'),
        placeholder: vscode.l10n.t('Text that each line contains'),
        value: filter.text ?? '',
      });
      return text === undefined || text === back ? undefined : { ...filter, text: text === '' ? undefined : text };
    }
  }
}
