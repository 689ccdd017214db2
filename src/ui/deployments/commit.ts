import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { commitWebUrl } from '../../core/git/remote.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { revisionOfRow } from './chooseDeployment.ts';

/** The commit that a revision was built from, if it was built from one. */
export function revisionCommit(revision: Revision | undefined): string | undefined {
  return revision?.source_revision_config?.repo_commit_sha;
}

/** The URL of the web page of a revision's commit, where the pages of its code host are known. */
export function commitPage(deployment: Deployment | undefined, revision: Revision): string | undefined {
  return commitWebUrl(deployment?.source_config?.repo_url ?? '', revisionCommit(revision) ?? '');
}

/** Copies the commit of a revision. */
export async function copyCommit(services: Services, argument: unknown): Promise<void> {
  const commit = revisionCommit(revisionOfRow(services, argument)?.revision);
  if (commit !== undefined) await vscode.env.clipboard.writeText(commit);
}

/** Opens the commit of a revision on its code host. */
export async function openCommit(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const found = revisionOfRow(services, argument);
  if (found === undefined) return;
  const url = commitPage(found.deployment, found.revision);
  if (url === undefined) throw new UserError(vscode.l10n.t("The web page of this revision's commit isn't known."));
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}
