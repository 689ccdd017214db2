import * as vscode from 'vscode';
import { withoutCredentials } from '../../api/http/redact.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { describeRevisionFilter } from '../../core/resources/deploymentFilter.ts';
import { applicationAddress } from '../../core/resources/webPages.ts';
import { formatEvent } from '../../core/status/duration.ts';
import { followLine } from '../../core/status/followWords.ts';
import { checkedWords, ownStatus, revisionTitle, revisionWords } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { followFacts } from '../following/followFacts.ts';
import type { Line } from '../window/rowLook.ts';
import { type DeploymentsRow, type RowSources, viewRow } from './rows.ts';

/** The tooltip of a row, with its state and origin; created on demand. */
export function tooltipLines(row: DeploymentsRow, sources: RowSources): readonly Line[] {
  const { deployments, follower, connection, now, monotonic } = sources;
  switch (row.kind) {
    case 'deployment': {
      const deployment = deployments.find(row.id);
      const followed = follower.find(connection.name, row.id);
      const revision = deployment?.source_revision_config;
      const observed = deployments.observe(row.id, deployment?.latest_revision_id);
      const { active } = observed;
      return [
        [vscode.l10n.t('Deployment'), deployment?.name],
        [vscode.l10n.t('Display name'), deployment?.display_name],
        // A narrow view truncates the description.
        [vscode.l10n.t('Now'), viewRow(row, sources).description],
        [vscode.l10n.t('Connection'), connection.name],
        [vscode.l10n.t('Status'), deployment && ownStatus(deployment)],
        [vscode.l10n.t('Live'), active && revisionTitle(active)],
        [vscode.l10n.t('Live revision updated'), formatEvent(active?.updated_at ?? active?.created_at, now)],
        [vscode.l10n.t('Last checked'), checkedWords(verdict(observed), monotonic)],
        [vscode.l10n.t('Source'), sourceOf(deployment)],
        [vscode.l10n.t('Branch or ref'), revision?.repo_ref],
        [vscode.l10n.t('Config file'), revision?.graph_config_path],
        [vscode.l10n.t('Application'), deployment && applicationAddress(deployment)],
        [
          followed?.outcome === undefined ? vscode.l10n.t('Following') : vscode.l10n.t('Last followed'),
          followed === undefined ? undefined : followLine(followFacts(followed, deployments, monotonic)),
        ],
        [vscode.l10n.t('Created'), formatEvent(deployment?.created_at, now)],
        [vscode.l10n.t('Id'), row.id],
      ];
    }
    case 'revision': {
      const observed = deployments.observe(row.deploymentId, row.id);
      const { revision } = observed;
      return [
        [vscode.l10n.t('Revision'), revision === undefined ? undefined : revisionTitle(revision)],
        [vscode.l10n.t('Status'), revisionWords(observed, now).first.join(' · ')],
        [vscode.l10n.t('Last checked'), checkedWords(verdict(observed), monotonic)],
        [vscode.l10n.t('Reason'), revision?.status_message],
        [vscode.l10n.t('Commit'), revision?.source_revision_config?.repo_commit_sha],
        [vscode.l10n.t('Config file'), revision?.source_revision_config?.graph_config_path],
        [vscode.l10n.t('Created'), formatEvent(revision?.created_at, now)],
        [vscode.l10n.t('Updated'), formatEvent(revision?.updated_at, now)],
        [vscode.l10n.t('Id'), row.id],
      ];
    }
    case 'noneFits':
      return [[vscode.l10n.t('Revisions shown'), describeRevisionFilter(deployments.revisionStatuses)]];
  }
}

function sourceOf(deployment: Deployment | undefined): string | undefined {
  const url = deployment?.source_config?.repo_url;
  if (url !== undefined) return withoutCredentials(url);
  return deployment?.source_revision_config?.image_uri ?? deployment?.source;
}
