import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import { chooseDeployment } from '../chooseDeployment.ts';
import type { Services } from '../services.ts';

/** Shows the resources of a deployment in the form, which cannot change them: the service has no request for that. */
export async function showResourceSpec(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Show Resources'));
  if (deployment === undefined) return;
  await services.resourceForms.open({
    title: vscode.l10n.t('Resources (read-only): {0}', deployment.name),
    initial: deployment.source_config?.resource_spec,
    readOnly: true,
  });
}
