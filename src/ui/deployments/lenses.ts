import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { lastCheckWords } from '../../core/status/freshness.ts';
import { deploymentWords } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { shortened, withoutIcons } from '../../core/text/text.ts';
import { doubtOf } from '../../state/following/doubts.ts';
import type { Services } from '../services.ts';
import { fullId } from '../window/commandIds.ts';

/** Shows lenses in documents, and updates them when what is known of deployments changes. */
export function registerLenses(
  services: Services,
  selector: vscode.DocumentSelector,
  lensesOf: (document: vscode.TextDocument) => Promise<readonly vscode.CodeLens[]>,
): vscode.Disposable {
  const { answers, connections, deployments, ownDeployments, workspaceDeployments, workspaceDrift } = services;
  const changed = new vscode.EventEmitter<void>();
  const update = (): void => changed.fire();
  return vscode.Disposable.from(
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: async (document) => [...(await lensesOf(document))],
    }),
    changed,
    connections.onDidChange(update),
    deployments.onDidChange(update),
    answers.onDidChange(update),
    ownDeployments.onDidFind(update),
    workspaceDeployments.onDidMark(update),
    workspaceDrift.onDidChange(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
  );
}

/** What is known of a deployment of a connection, as a lens that opens its details. */
export function deployedCommand(connection: string, deployment: Deployment, services: Services): vscode.Command {
  const { answers, workspaceDrift, clock } = services;
  const { id: deploymentId, latest_revision_id: revisionId = '' } = deployment;
  const observed = answers.observe(connection, deploymentId, deployment.latest_revision_id);
  const { first } = deploymentWords(deployment, observed, {
    now: clock.now(),
    drift: workspaceDrift.of(deploymentId),
    doubt: () => doubtOf({ connection, deploymentId, revisionId }, services),
  });
  const { asOf } = verdict(observed);
  const checked = asOf === undefined ? [] : [lastCheckWords(clock.now() - (clock.monotonic() - asOf))];
  return {
    title: withoutIcons(`${shortened(deployment.name)}: ${first.join(' · ')}`),
    tooltip: [vscode.l10n.t('Open Details'), connection, ...checked].join(' · '),
    command: fullId('openDetails'),
    arguments: [{ connection, deploymentId }],
  };
}
