import * as vscode from 'vscode';
import type { RepositoryDraft } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { parseGitRemote } from '../../core/git/remote.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import {
  searchIntegrations,
  type IntegrationMatch,
  type IntegrationSearch,
} from '../../state/deploying/searchIntegrations.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, UserError } from '../window/errors.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import { type DeploymentPlan, workingCopyOf } from './plan.ts';

/**
 * Finds the integration of a draft's repository, and keeps in the draft why there is none.
 * If the local service doesn't know the folder yet, sends it the folder and searches again.
 * Without a repository, or if the user cancels, nothing is known.
 * @returns findings about failed listings
 */
export async function findIntegration(
  services: Services,
  plan: DeploymentPlan,
  draft: RepositoryDraft,
): Promise<readonly Finding[]> {
  const { repositoryUrl } = draft;
  if (repositoryUrl === '') return [];
  const { title, session } = plan;
  const root = workingCopyOf(plan)?.root;
  const shown = [nameOf(repositoryUrl), session.connection.name].map(withoutIcons);
  const words = vscode.l10n.t('Looking for {0} in {1}…', ...shown);
  try {
    const { matches, failures } = await whileWaiting({ title, words }, (signal) =>
      unlessAborted(search(services, session, { repositoryUrl, root }, signal), signal),
    );
    const [match] = matches;
    if (match === undefined) {
      // An integration that couldn't be searched may have the repository, so report its failure instead.
      throw failures[0]?.error ?? noIntegration(session.connection, repositoryUrl, root !== undefined);
    }
    if (matches.length > 1) {
      throw new UserError(vscode.l10n.t('Several integrations have this repository. Choose one of them.'));
    }
    takeMatch(draft, match);
    return failures.map(({ integrationName, error }): Finding => {
      const message = vscode.l10n.t("Couldn't list all repositories of {0}: {1}", integrationName, messageOf(error));
      return finding('info', message);
    });
  } catch (error) {
    if (!isCancelled(error)) draft.integrationProblem = messageOf(error);
    return [];
  }
}

function takeMatch(draft: RepositoryDraft, found: IntegrationMatch): void {
  draft.repositoryUrl = found.repositoryUrl;
  draft.integrationId = found.integrationId;
  draft.integrationName = found.integrationName;
  draft.provenance.integrationId = { kind: 'integration' };
  takeDefaultBranch(draft, found.defaultBranch);
}

/** Deploys the default branch of the repository if nothing else is chosen or checked out. */
export function takeDefaultBranch(draft: RepositoryDraft, name: string | undefined): void {
  if (draft.ref.name !== '' || name === undefined) return;
  draft.ref = { kind: 'branch', name };
  draft.provenance.ref = { kind: 'list' };
}

async function search(
  { localService }: Pick<Services, 'localService'>,
  session: ReadySession,
  { repositoryUrl, root }: { readonly repositoryUrl: string; readonly root: vscode.Uri | undefined },
  signal: AbortSignal,
): Promise<IntegrationSearch> {
  const found = await searchIntegrations(await session.client(), repositoryUrl, { signal });
  if (found.matches.length > 0 || session.connection.kind !== 'local' || root === undefined) return found;
  // The local service knows only the open folders; the repository may be in another one.
  await localService.start([root.fsPath]);
  return searchIntegrations(await session.client(), repositoryUrl, { signal });
}

/** The error for a repository that no integration has. */
function noIntegration({ kind, name: connection }: Connection, repositoryUrl: string, isOpen: boolean): UserError {
  const name = nameOf(repositoryUrl);
  if (kind !== 'local') {
    return new UserError(
      vscode.l10n.t(
        'No integration on "{0}" has access to {1}. Grant access on the code host, then try again.',
        connection,
        name,
      ),
    );
  }
  return new UserError(
    isOpen
      ? vscode.l10n.t(
          "The local service can't build {0}: if there are several remotes, it uses the one named origin. Rename the remote that you push to, then try again.",
          name,
        )
      : vscode.l10n.t(
          "The local service builds only repositories of open folders, and {0} isn't one. Open its clone, then try again.",
          name,
        ),
  );
}

/** The short name of a repository, such as `acme/agent`. */
function nameOf(repositoryUrl: string): string {
  const remote = parseGitRemote(repositoryUrl);
  return remote === undefined ? repositoryUrl : `${remote.owner}/${remote.name}`;
}
