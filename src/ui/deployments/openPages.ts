import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import {
  applicationAddress,
  applicationUrl,
  commitPage,
  revisionCommit,
  servicePage,
} from '../../core/resources/webPages.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { documentUri, showDocument } from '../window/documentUri.ts';
import { UserError } from '../window/errors.ts';
import { targetOf } from '../window/rowCommands.ts';
import { chooseDeployment, revisionOfRow, type ChoiceServices } from './chooseDeployment.ts';
import { showDeploymentDocument } from './showDeployment.ts';

/** Opens the public address of a deployed application. */
export async function openApplication(
  services: ChoiceServices,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Open Application');
  await openPage(services, argument, title, applicationUrl, (deployment) =>
    applicationAddress(deployment) === undefined
      ? vscode.l10n.t('The service gives no web address for "{0}".', deployment.name)
      : // Leave the address out: a message renders links in its text, including links that run commands.
        vscode.l10n.t(
          'The address that the service gives for "{0}" can\'t be opened: it doesn\'t begin with http:// or https://.',
          deployment.name,
        ),
  );
}

/** Opens the repository of a deployment, or of a row of the repositories view, on its code host. */
export async function openRepository(
  services: ChoiceServices,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  const listed = services.views.repositories.repositoryOf(argument)?.record.url;
  if (listed !== undefined) {
    const url = repositoryWebUrl(listed);
    if (url === undefined) throw new UserError(vscode.l10n.t('{0} is a folder, which has no web page.', listed));
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
    return;
  }
  const title = vscode.l10n.t('Open Repository');
  await openPage(
    services,
    argument,
    title,
    (deployment) => repositoryWebUrl(deployment.source_config?.repo_url ?? ''),
    ({ name }) => vscode.l10n.t('"{0}" isn\'t built from a repository with a web page.', name),
  );
}

/** Opens the commit of a revision on its code host. */
export async function openCommit(
  services: Pick<Services, 'answers' | 'deployments' | 'views'>,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  const { deployment, revision } = revisionOfRow(services, argument);
  const url = commitPage(deployment, revision);
  if (url === undefined) throw new UserError(vscode.l10n.t('No web page is known for this commit.'));
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** Copies the commit of a revision. */
export async function copyCommit(
  services: Pick<Services, 'answers' | 'deployments' | 'views'>,
  argument: unknown,
): Promise<void> {
  const commit = revisionCommit(revisionOfRow(services, argument).revision);
  if (commit !== undefined) await vscode.env.clipboard.writeText(commit);
}

/** Opens the service's own page for a deployment. */
export async function openServicePage(
  services: ChoiceServices,
  { connection }: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Open Service Page');
  await openPage(
    services,
    argument,
    title,
    (deployment) => servicePage(connection, deployment),
    ({ name }) => vscode.l10n.t('This service has no web page for "{0}".', name),
  );
}

async function openPage(
  services: ChoiceServices,
  argument: unknown,
  title: string,
  urlOf: (deployment: Deployment) => string | undefined,
  without: (deployment: Deployment) => string,
): Promise<void> {
  const deployment = await chooseDeployment(services, argument, title);
  if (deployment === undefined) return;
  const url = urlOf(deployment);
  if (url === undefined) throw new UserError(without(deployment));
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/** Shows a row as a read-only YAML document that is updated while the resource changes. */
export async function openDetails(services: ChoiceServices, session: ReadySession, argument: unknown): Promise<void> {
  const { name: connection } = session.connection;
  const { id, name, place } = targetOf(services, argument) ?? {};
  if (place !== undefined) return showDocument(documentUri({ connection, place }, name ?? id ?? ''));
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Open Details'));
  if (deployment === undefined) return undefined;
  return showDeploymentDocument({ connection, deploymentId: deployment.id, name: deployment.name });
}
