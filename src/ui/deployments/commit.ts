import * as vscode from 'vscode';
import { commitPage, revisionCommit } from '../../core/resources/webPages.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { revisionOfRow } from './chooseDeployment.ts';

/** Copies the commit of a revision. */
export async function copyCommit(services: Services, argument: unknown): Promise<void> {
  const commit = revisionCommit(revisionOfRow(services, argument).revision);
  if (commit !== undefined) await vscode.env.clipboard.writeText(commit);
}

/** Opens the commit of a revision on its code host. */
export async function openCommit(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const { deployment, revision } = revisionOfRow(services, argument);
  const url = commitPage(deployment, revision);
  if (url === undefined) throw new UserError(vscode.l10n.t('No web page is known for this commit.'));
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}
