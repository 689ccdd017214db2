import * as vscode from 'vscode';
import { describeFollow } from '../../core/followSummary.ts';
import { revisionTitle } from '../../core/deploymentSummary.ts';
import { messageOf } from '../errors.ts';
import { followFacts } from '../followFacts.ts';
import type { Row } from './rows.ts';
import type { RowSources } from './rowView.ts';

/** The tooltip of a row: what it is and where it came from. Made when it is asked for. */
export function tooltipOf(row: Row, sources: RowSources): vscode.MarkdownString {
  return markdown(linesOf(row, sources));
}

type Line = readonly [name: string, text: string | undefined];

function linesOf(row: Row, { deployments, follower, connection, now }: RowSources): readonly Line[] {
  switch (row.kind) {
    case 'deployment': {
      const deployment = deployments.find(row.id);
      const followed = follower.find(connection.name, row.id);
      const revision = deployment?.source_revision_config;
      return [
        [vscode.l10n.t('Deployment'), deployment?.name],
        [vscode.l10n.t('Connection'), connection.name],
        [vscode.l10n.t('Status'), deployment?.status],
        [vscode.l10n.t('Source'), deployment?.source_config?.repo_url ?? revision?.image_uri ?? deployment?.source],
        [vscode.l10n.t('Branch or ref'), revision?.repo_ref],
        [vscode.l10n.t('Config file'), revision?.graph_config_path],
        [vscode.l10n.t('Application'), deployment?.source_config?.custom_url],
        [
          followed?.outcome === undefined ? vscode.l10n.t('Following') : vscode.l10n.t('Last followed'),
          followed === undefined ? undefined : describeFollow(followFacts(followed, deployments, now)),
        ],
        [vscode.l10n.t('Created'), deployment?.created_at],
        [vscode.l10n.t('Id'), row.id],
      ];
    }
    case 'revision': {
      const revision = deployments.revision(row.id);
      return [
        [vscode.l10n.t('Revision'), revision === undefined ? undefined : revisionTitle(revision)],
        [vscode.l10n.t('Status'), revision?.status],
        [vscode.l10n.t('Reason'), revision?.status_message],
        [vscode.l10n.t('Commit'), revision?.source_revision_config?.repo_commit_sha],
        [vscode.l10n.t('Config file'), revision?.source_revision_config?.graph_config_path],
        [vscode.l10n.t('Created'), revision?.created_at],
        [vscode.l10n.t('Updated'), revision?.updated_at],
        [vscode.l10n.t('Id'), row.id],
      ];
    }
    case 'unreadable':
      return [[vscode.l10n.t('The service sent an entry that cannot be read'), row.reason]];
    case 'failure': {
      const { deploymentId } = row;
      const { error } = deploymentId === undefined ? deployments.state : deployments.revisionsOf(deploymentId);
      return [[vscode.l10n.t('What happened'), messageOf(error)]];
    }
    case 'loadMore':
      return [[vscode.l10n.t('The service has more'), vscode.l10n.t('Click to load the next page.')]];
  }
}

/** Names and texts of a service are appended as text, so that none of them becomes markup, a link or an icon. */
function markdown(lines: readonly Line[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const [name, text] of lines) {
    if (text === undefined || text === '') continue;
    tooltip.appendMarkdown(`**${name}:** `);
    tooltip.appendText(text);
    tooltip.appendMarkdown('\n\n');
  }
  return tooltip;
}
