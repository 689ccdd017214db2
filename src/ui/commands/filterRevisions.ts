import * as vscode from 'vscode';
import { REVISION_STATUSES } from '../../api/enums.ts';
import { revisionStatusView } from '../../core/status.ts';
import type { ReadySession } from '../../state/connections.ts';
import type { Services } from '../services.ts';
import { askChoices } from '../steps.ts';

/** Chooses which revisions are shown, by their status; all of them when nothing or everything is chosen. */
export async function filterRevisions(
  { deployments, deploymentsView }: Services,
  _session: ReadySession,
): Promise<void> {
  const chosen = await askChoices({
    title: vscode.l10n.t('Filter Revisions'),
    placeholder: vscode.l10n.t('The statuses to show; none for all'),
    items: REVISION_STATUSES.map((status) => ({
      status,
      label: revisionStatusView(status).label,
      description: status,
      picked: deployments.revisionStatuses.includes(status),
    })),
  });
  if (chosen === undefined) return;
  await deploymentsView.whileLoading(() => deployments.setRevisionStatuses(chosen.map(({ status }) => status)));
}
