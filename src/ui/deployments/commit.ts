import * as vscode from 'vscode';
import { commitPage, revisionCommit } from '../../core/resources/webPages.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { revisionOfRow } from './chooseDeployment.ts';

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
