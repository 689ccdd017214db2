import * as vscode from 'vscode';
import { isUnreadable } from '../../api/page.ts';
import { emptySpecValues, hasSpecValues } from '../../core/hideValues.ts';
import type { Connections } from '../../state/connections.ts';
import { commandRemedy, UserError } from '../errors.ts';
import { askChoice, back } from '../steps.ts';
import type { NamedSpec } from './resourceForms.ts';

const mostDeployments = 100;

/**
 * Lets a person choose one of the newest deployments that say what resources they have. Undefined when they leave.
 * @throws {UserError} there is no connection, or no such deployment
 * @throws {ApiError} the service does not answer
 */
export async function chooseDeployment(connections: Connections): Promise<NamedSpec | undefined> {
  const session = await connections.current();
  if (session.kind !== 'ready') {
    throw new UserError(vscode.l10n.t('Connect to a service first: its deployments are needed to choose from.'), [
      commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
  const { resources } = await (await session.client()).deployments.list({ limit: mostDeployments });
  const items = resources.flatMap((deployment) => {
    const spec = isUnreadable(deployment) ? undefined : deployment.source_config?.resource_spec;
    return isUnreadable(deployment) || spec === undefined ? [] : [{ label: deployment.name, spec }];
  });
  if (items.length === 0) {
    throw new UserError(vscode.l10n.t('No deployment of {0} says what resources it has.', session.connection.name));
  }
  const choice = await askChoice({
    title: vscode.l10n.t('Start from a Deployment'),
    placeholder: vscode.l10n.t('A deployment of {0}', session.connection.name),
    items,
  });
  if (choice === undefined || choice === back) return undefined;
  const { label: name, spec } = choice;
  return { name, spec: emptySpecValues(spec), leavesValuesOut: hasSpecValues(spec) };
}
