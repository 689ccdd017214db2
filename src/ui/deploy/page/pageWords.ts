import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { isSpecKey } from '../../../core/spec/fields.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import type { KeptInput } from '../../page/messages.ts';
import { nameOf } from '../../window/specNames.ts';
import type { DeploymentPlan } from '../plan.ts';
import type { CheckedDeployment } from './checkDeployment.ts';
import type { CheckContext } from './pageContext.ts';
import type { PageDeployment, PageState } from './protocol.ts';

type Shown = Pick<PageState, 'deployments' | 'shared' | 'sharedResources'>;

/**
 * What stands beside the button.
 * @param unfinished the inputs that the file can't have yet
 */
export function barWords(
  shown: Shown,
  [plan]: readonly (DeploymentPlan | undefined)[],
  unfinished: readonly KeptInput[],
  isDeploying: boolean,
): string {
  if (!vscode.workspace.isTrusted) {
    return vscode.l10n.t('In Restricted Mode, nothing is deployed from files. Trust the folder first.');
  }
  if (isDeploying) return vscode.l10n.t('Deploying…');
  const { deployments } = shown;
  const errors = deployments.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'error');
  const count = errors.length + unfinished.filter((input) => hasPlace(input, shown)).length;
  if (count > 0) {
    return count === 1 ? vscode.l10n.t('1 problem to correct') : vscode.l10n.t('{0} problems to correct', count);
  }
  if (deployments.length !== 1 || plan === undefined || deployments[0]?.progress !== undefined) return '';
  return whatWords(plan);
}

/** Whether an input has a field now: its deployment may be gone, nothing shared any more, or resources in another file. */
function hasPlace({ number, key }: KeptInput, { deployments, shared, sharedResources }: Shown): boolean {
  const deployment = deployments.find((each) => each.number === number);
  const resources = number === undefined ? sharedResources : deployment?.resources;
  if (isSpecKey(key)) return resources !== undefined && resources.open === undefined;
  return (number === undefined ? shared : deployment) !== undefined;
}

/** What a plan deploys, and where. */
export function whatWords({ draft: { name, connectionName } }: DeploymentPlan): string {
  return vscode.l10n.t('{0} to {1}', withoutIcons(name), withoutIcons(connectionName));
}

/** What the button of one deployment says. */
export function deployWords(deployments: readonly Warned[], { update }: Partial<CheckedDeployment> = {}): string {
  if (update === undefined) return withWarnings(vscode.l10n.t('Deploy'), deployments);
  const { makesRevision } = update.change;
  return withWarnings(makesRevision ? vscode.l10n.t('Deploy New Revision') : vscode.l10n.t('Change'), deployments);
}

type Warned = Pick<PageDeployment, 'findings'>;

/** The words of a button, with the warnings that it passes over. */
function withWarnings(words: string, deployments: readonly Warned[]): string {
  const { length } = deployments.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'warning'));
  if (length === 0) return words;
  return length === 1
    ? vscode.l10n.t('{0} with 1 Warning', words)
    : vscode.l10n.t('{0} with {1} Warnings', words, length);
}

/** What the button of all deployments says that can be deployed. */
export function deployAllWords(
  deployments: readonly PageDeployment[],
  ready: readonly number[],
  first: CheckedDeployment | undefined,
): string {
  if (deployments.length === 1) return deployWords(deployments, first);
  const words =
    ready.length === deployments.length
      ? vscode.l10n.t('Deploy All {0}', ready.length)
      : vscode.l10n.t('Deploy {0} of {1}', ready.length, deployments.length);
  return withWarnings(
    words,
    deployments.filter((_, index) => ready.includes(index)),
  );
}

/** What the page of a file or a draft is called. */
export function pageTitle(
  { document, begun }: Pick<CheckContext, 'document' | 'begun'>,
  deployments: readonly FileDeployment[],
): string {
  const { name = '' } = deployments[0] ?? {};
  const { changes, folder } = begun?.deployments[0] ?? {};
  if (begun === undefined) return vscode.l10n.t('Deploy {0}', nameOf(document.uri));
  if (changes !== undefined && folder === undefined) return vscode.l10n.t('Change {0}', name);
  if (deployments.length > 1) return vscode.l10n.t('Deploy {0} Applications', deployments.length);
  return name === '' ? vscode.l10n.t('New Deployment') : vscode.l10n.t('Deploy {0}', name);
}

/** Says what a check has found since the page showed a deployment. Undefined if there is nothing to see to. */
export function newsWords(now: PageDeployment, before: PageDeployment | undefined): string | undefined {
  const seen = new Set(before?.findings.map(({ message }) => message));
  const news = now.findings.find(({ severity, message }) => severity !== 'info' && !seen.has(message));
  return news && vscode.l10n.t("{0} wasn't sent, because this is new: {1}", withoutIcons(now.title), news.message);
}

/** Says that a deployment isn't as the page showed it. */
export function changedWords(name: string): string {
  return vscode.l10n.t('{0} changed meanwhile. Look at it and deploy it again.', withoutIcons(name));
}
