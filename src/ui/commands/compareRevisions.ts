import * as vscode from 'vscode';
import type { Deployment } from '../../api/deployments.ts';
import type { Revision } from '../../api/revisions.ts';
import { revisionTitle, summarizeRevision } from '../../core/deploymentSummary.ts';
import type { ReadySession } from '../../state/connections.ts';
import { shortened } from '../../core/shortened.ts';
import { chooseDeployment } from '../chooseDeployment.ts';
import { documentUri } from '../documentUri.ts';
import { UserError } from '../errors.ts';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { rowOf } from '../tree/deploymentsView.ts';
import { withoutIcons } from '../withoutIcons.ts';

/** Shows two revisions of a deployment beside each other, the older one on the left. */
export async function compareRevisions(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const { deployments, deploymentsView } = services;
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Compare Revisions'));
  if (deployment === undefined) return;
  const revisions = await deploymentsView.whileLoading(() => deployments.newestRevisions(deployment.id));
  if (revisions.length < 2) {
    throw new UserError(vscode.l10n.t('"{0}" has only one revision, so there is nothing to compare.', deployment.name));
  }
  const row = rowOf(argument, deploymentsView);
  const first =
    row?.kind === 'revision'
      ? revisions.find(({ id }) => id === row.id)
      : await chooseRevision(services, deployment, revisions, vscode.l10n.t('The revision to compare'));
  if (first === undefined) return;
  const others = revisions.filter(({ id }) => id !== first.id);
  const second = await chooseRevision(services, deployment, others, vscode.l10n.t('Compare with'));
  if (second === undefined) return;
  await showDifference(session.connection.name, deployment, first, second);
}

async function chooseRevision(
  { clock }: Services,
  deployment: Deployment,
  revisions: readonly Revision[],
  placeholder: string,
): Promise<Revision | undefined> {
  const items = revisions.map((revision) => ({
    revision,
    label: withoutIcons(revisionTitle(revision)),
    description: withoutIcons(summarizeRevision(deployment, revision, clock.now()).description),
  }));
  const active = items.find(({ revision }) => revision.id === deployment.active_revision_id);
  const choice = await askChoice({ title: deployment.name, placeholder, items, active });
  return choice === undefined || choice === back ? undefined : choice.revision;
}

async function showDifference(connection: string, deployment: Deployment, a: Revision, b: Revision): Promise<void> {
  const [older, newer] = (a.created_at ?? '') <= (b.created_at ?? '') ? [a, b] : [b, a];
  const uriOf = (revision: Revision): vscode.Uri =>
    documentUri(
      { connection, place: { kind: 'revision', ids: [deployment.id, revision.id] } },
      revisionTitle(revision),
    );
  const title = vscode.l10n.t(
    '{0}: {1} ↔ {2}',
    ...[deployment.name, revisionTitle(older), revisionTitle(newer)].map((part) => shortened(part)),
  );
  await vscode.commands.executeCommand('vscode.diff', uriOf(older), uriOf(newer), title);
}
