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

/** What the search for an integration finds out. */
export type FoundIntegration = {
  /** About lists that failed. */
  readonly findings: readonly Finding[];
} & ({ readonly match: IntegrationMatch } | { readonly problem: string });

/**
 * Finds the integration of a draft's repository.
 * If the local service doesn't know the folder yet, sends it the folder and searches again.
 * @returns undefined without a repository, or if the user cancels: then nothing is known
 */
export async function findIntegration(
  services: Pick<Services, 'localService'>,
  plan: DeploymentPlan,
  { repositoryUrl }: RepositoryDraft,
): Promise<FoundIntegration | undefined> {
  if (repositoryUrl === '') return undefined;
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
    const findings = failures.map(({ integrationName, error }) =>
      finding('info', vscode.l10n.t("Couldn't list all repositories of {0}: {1}", integrationName, messageOf(error))),
    );
    return { match, findings };
  } catch (error) {
    return isCancelled(error) ? undefined : { problem: messageOf(error), findings: [] };
  }
}

/** Fills in the result of the search. Deploys the default branch if nothing else is chosen or checked out. */
export function fillFound(draft: RepositoryDraft, found: FoundIntegration): void {
  if ('problem' in found) {
    draft.integrationProblem = found.problem;
    return;
  }
  const { integrationId, integrationName, repositoryUrl, defaultBranch } = found.match;
  Object.assign(draft, { integrationId, integrationName, repositoryUrl });
  draft.provenance.integrationId = { kind: 'integration' };
  if (draft.ref.name !== '' || defaultBranch === undefined) return;
  draft.ref = { kind: 'branch', name: defaultBranch };
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
