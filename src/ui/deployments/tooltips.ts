import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { shownAddress } from '../../core/git/address.ts';
import { searchWords } from '../../core/git/workspaceDeployment.ts';
import { applicationAddress, revisionCommit } from '../../core/resources/webPages.ts';
import { formatEvent } from '../../core/status/duration.ts';
import { followDetails } from '../../core/status/followWords.ts';
import { checkedWords, statusOfDeployment, revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { uploadNoteOf } from '../../state/deploying/uploads.ts';
import { followFacts } from '../../state/following/shownDeployments.ts';
import type { Line } from '../window/rowLook.ts';
import { viewRow, type DeploymentsRow, type RowSources } from './rows.ts';

/** The tooltip of a row, with its state and origin; created on demand. */
export function tooltipLines(row: DeploymentsRow, sources: RowSources): readonly Line[] {
  switch (row.kind) {
    case 'workspace':
      return [
        [vscode.l10n.t('Deployments of the open repositories'), sources.connection.name],
        ...sources.ownDeployments.results.map((result): Line => [vscode.l10n.t('Search'), searchWords(result)]),
      ];
    case 'deployment':
      return deploymentLines(row, sources);
    case 'revision':
      return revisionLines(row.ids, sources);
  }
}

function deploymentLines(row: DeploymentsRow & { readonly kind: 'deployment' }, sources: RowSources): readonly Line[] {
  const { deployments, follower, connection, clock } = sources;
  const now = clock.now();
  const [deploymentId] = row.ids;
  const deployment = deployments.find(deploymentId);
  const followed = follower.find(connection.name, deploymentId);
  const revision = deployment?.source_revision_config;
  const observed = deployments.observe(deploymentId);
  const { active } = observed;
  return [
    [vscode.l10n.t('Deployment'), deployment?.name],
    [vscode.l10n.t('Display name'), deployment?.display_name],
    // A narrow view truncates the description.
    [vscode.l10n.t('Now'), viewRow(row, sources)?.description],
    [vscode.l10n.t('Connection'), connection.name],
    [vscode.l10n.t('Status'), deployment && statusOfDeployment(deployment)],
    [vscode.l10n.t('Live'), active && revisionTitle(active)],
    [vscode.l10n.t('Live revision updated'), formatEvent(active?.updated_at ?? active?.created_at, now)],
    [vscode.l10n.t('Last checked'), checkedWords(verdict(observed), clock.monotonic())],
    [vscode.l10n.t('Source'), sourceOf(deployment)],
    [vscode.l10n.t('Branch or ref'), revision?.repo_ref],
    [vscode.l10n.t('Config file'), revision?.graph_config_path],
    [vscode.l10n.t('Application'), deployment && applicationAddress(deployment)],
    [
      followed?.outcome === undefined ? vscode.l10n.t('Following') : vscode.l10n.t('Last followed'),
      followed === undefined ? undefined : followDetails(followFacts(followed, sources)),
    ],
    [vscode.l10n.t('Created'), formatEvent(deployment?.created_at, now)],
    [vscode.l10n.t('ID'), deploymentId],
  ];
}

function revisionLines(
  [deploymentId, revisionId]: readonly [deployment: string, revision: string],
  { deployments, workspaceMemory, clock }: RowSources,
): readonly Line[] {
  const now = clock.now();
  const observed = deployments.observe(deploymentId, revisionId);
  const { revision } = observed;
  const { first, later } = revisionWords(observed, { now });
  return [
    [vscode.l10n.t('Revision'), revision && revisionTitle(revision)],
    [vscode.l10n.t('Status'), [...first, ...later].join(' · ')],
    [vscode.l10n.t('Last checked'), checkedWords(verdict(observed), clock.monotonic())],
    [vscode.l10n.t('Reason'), revision?.status_message],
    [vscode.l10n.t('Commit'), revisionCommit(revision)],
    [vscode.l10n.t('Upload'), uploadNoteOf(workspaceMemory, revisionId)],
    [vscode.l10n.t('Config file'), revision?.source_revision_config?.graph_config_path],
    [vscode.l10n.t('Created'), formatEvent(revision?.created_at, now)],
    [vscode.l10n.t('Updated'), formatEvent(revision?.updated_at, now)],
    [vscode.l10n.t('ID'), revisionId],
  ];
}

function sourceOf(deployment: Deployment | undefined): string | undefined {
  const url = deployment?.source_config?.repo_url;
  if (url !== undefined) return shownAddress(url);
  return deployment?.source_revision_config?.image_uri ?? deployment?.source;
}
