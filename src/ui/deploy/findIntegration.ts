import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Integration } from '../../api/integrations.ts';
import { parseGitRemote, sameRepository } from '../../core/gitRemote.ts';
import type { Connection } from '../../state/connection.ts';
import type { ReadySession } from '../../state/connections.ts';
import { readableRows } from '../../state/pagedList.ts';
import { listRepositories } from '../../state/repositoryListings.ts';
import { commandRemedy, UserError } from '../errors.ts';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';

/** Where the service has a repository: the values that a create request needs. */
export interface IntegrationMatch {
  readonly integrationId: string;
  readonly integrationName: string;
  readonly repositoryUrl: string;
  readonly defaultBranch: string | undefined;
}

/** A repository to look for, and where it lies on this machine if it is open here. */
export interface WantedRepository {
  readonly remoteUrl: string;
  readonly root?: vscode.Uri;
}

/**
 * The integration that has a repository; a folder that the local service does not know yet is shown to it.
 * @throws {UserError} no integration has it
 * @throws {vscode.CancellationError} the person chose none of several
 */
export async function requireIntegration(
  { localService }: Services,
  session: ReadySession,
  { remoteUrl, root }: WantedRepository,
): Promise<IntegrationMatch> {
  const match = await findIntegration(await session.client(), remoteUrl);
  if (match !== undefined) return match;
  if (session.connection.kind === 'local' && root !== undefined) {
    // The embedded service knows the folders that were open when it started; this one may have come later.
    await localService.start([root.fsPath]);
    const registered = await findIntegration(await session.client(), remoteUrl);
    if (registered !== undefined) return registered;
  }
  throw noIntegration(session.connection, remoteUrl);
}

/**
 * Finds the integration through which the service can read a repository.
 * @returns undefined when the service has none
 * @throws {vscode.CancellationError} the person chose none of several
 */
async function findIntegration(client: Client, remoteUrl: string): Promise<IntegrationMatch | undefined> {
  const integrations = readableRows(await client.integrations.listInstallations());
  const listed = await Promise.allSettled(
    integrations.map((integration) => listMatches(client, integration, remoteUrl)),
  );
  const matches = listed.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const [first, second] = matches;
  if (first === undefined) {
    const failed = listed.find((result) => result.status === 'rejected');
    // An integration that could not be asked may be the one that has it.
    if (failed !== undefined) throw failed.reason;
    return undefined;
  }
  if (second === undefined) return first;
  const choice = await askChoice({
    title: vscode.l10n.t('Deploy Current Repository'),
    placeholder: vscode.l10n.t('Several integrations have this repository. Which one builds it?'),
    items: matches.map((match) => ({
      match,
      label: withoutIcons(match.integrationName),
      description: withoutIcons(match.repositoryUrl),
    })),
  });
  if (choice === undefined || choice === back) throw new vscode.CancellationError();
  return choice.match;
}

/** Says that no integration has the repository, and what to do about it. */
function noIntegration(connection: Connection, remoteUrl: string): UserError {
  const remote = parseGitRemote(remoteUrl);
  const name = remote === undefined ? remoteUrl : `${remote.owner}/${remote.name}`;
  const message =
    connection.kind === 'local'
      ? vscode.l10n.t(
          'The local service cannot build {0}: of several remotes it takes the one called origin. Give that name to the remote that you publish to, then try again.',
          name,
        )
      : vscode.l10n.t(
          'No integration of "{0}" has the repository {1}. Give the service access to it on the code host, then try again.',
          connection.name,
          name,
        );
  return new UserError(message, [
    commandRemedy(vscode.l10n.t('Try Again'), 'deployCurrentRepository'),
    { title: vscode.l10n.t('Copy Repository URL'), run: () => vscode.env.clipboard.writeText(remoteUrl) },
    commandRemedy(vscode.l10n.t('Switch Connection'), 'switchConnection'),
  ]);
}

async function listMatches(client: Client, integration: Integration, remoteUrl: string): Promise<IntegrationMatch[]> {
  const repositories = readableRows(await listRepositories(client, integration.id));
  for (const { record, integrationId } of repositories) {
    if (record.url === undefined || !sameRepository(record.url, remoteUrl)) continue;
    const { url: repositoryUrl, default_branch: defaultBranch } = record;
    return [{ integrationId, integrationName: integration.name, repositoryUrl, defaultBranch }];
  }
  return [];
}
