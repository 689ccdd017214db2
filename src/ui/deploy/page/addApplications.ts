import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { beginDraft } from '../../../core/draft/begunDraft.ts';
import { freeDeploymentName } from '../../../core/draft/deploymentName.ts';
import { applicationDraft } from '../../../core/draft/applicationDraft.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { searchRef } from '../../../state/workspace/searchDeployments.ts';
import { isCancelled, messageOf, requestIdOf } from '../../window/errors.ts';
import { replaceText } from '../../window/specFiles.ts';
import { askChoices } from '../../window/steps.ts';
import { whileAsking } from '../../window/waiting.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';
import { listedOf } from '../checkPlan.ts';
import { fillFromBefore } from '../deploy.ts';
import { offerDeployed } from '../live/offerDeployed.ts';
import type { DraftSubject } from './draftButtons.ts';

/**
 * Adds other applications of the repository to a draft. Each begins as the given one, with what was chosen for it the
 * last time and with its own stored secrets. Of those that are deployed already, each is offered what brings it live.
 */
export async function addApplications(subject: DraftSubject, plan: DeploymentPlan): Promise<void> {
  const { services, document, begun, deployments } = subject;
  const { draft, session } = plan;
  if (draft.source !== 'repohost') return;
  const chosen = await chooseApplications(subject, plan);
  const names = new Set(deployments.map(({ name }) => name));
  const added = [];
  for (const { path: configPath, names: usualNames } of chosen) {
    const each = applicationDraft(draft, configPath);
    const { repositoryUrl, ref } = each;
    const title = vscode.l10n.t('Deploy {0}', withoutIcons(configPath));
    const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames, repository: workingCopyOf(plan) };
    const told = usualNames.length === 0 ? [] : await offerDeployed(services, session, wanted);
    if (told === undefined) continue;
    const findings = [...told, ...(await fillFromBefore(services, session, each))];
    each.name = freeDeploymentName(each.name, (name) => names.has(name));
    names.add(each.name);
    added.push(beginDraft({ draft: each, findings }, deployments[0]?.connection));
  }
  if (added.length === 0) return;
  const text = document.getText();
  await begun.add(added);
  await replaceText(document, [text.replace(/(?<!\n)\n*$/, '\n'), ...added.map((each) => each.text)].join('---\n'));
}

interface ChosenApplication {
  /** Of its config file. */
  readonly path: string;
  /** Of its deployments. */
  readonly names: readonly string[];
}

/** Asks which other applications to deploy, and says which ones are deployed already; none if the user cancels. */
async function chooseApplications(
  { services, deployments }: DraftSubject,
  plan: DeploymentPlan,
): Promise<readonly ChosenApplication[]> {
  const { draft, session } = plan;
  if (draft.source !== 'repohost') return [];
  const title = vscode.l10n.t('Deploy Several Applications');
  const present = new Set(deployments.map(({ content }) => content?.['config']));
  const found = (workingCopyOf(plan)?.configPaths ?? []).filter((path) => !present.has(path));
  let placeholder = vscode.l10n.t('Select the config files of the applications to add');
  let deployed: readonly Deployment[] = [];
  try {
    const words = vscode.l10n.t('Checking {0} applications…', found.length);
    deployed = await whileAsking(session, { title, words }, (client, signal) =>
      searchRef(client, { ...draft, loaded: listedOf(services, session) }, { signal }),
    );
  } catch (error) {
    if (isCancelled(error)) return [];
    services.log.error(`deploy several: ${messageOf(error)}${requestIdOf(error)}`);
    placeholder = vscode.l10n.t("Couldn't check what is deployed already. Select the config files");
  }
  const items = found.map((path) => {
    const those = deployed.filter((each) => each.source_revision_config?.graph_config_path === path);
    const names = those.map(({ name }) => name);
    const description = withoutIcons(vscode.l10n.t('deployed as {0}', names.join(', ')));
    return { path, names, label: withoutIcons(path), ...(names.length === 0 ? {} : { description }) };
  });
  return (await askChoices({ title, placeholder, items })) ?? [];
}
