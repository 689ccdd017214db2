import * as vscode from 'vscode';
import {
  parseDeploymentRef,
  type DeploymentDraft,
  type DeploymentRef,
  type DraftOption,
  unsetOptions,
} from '../../core/draft/draft.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { askChoice, askText, back } from '../window/steps.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** Labels of the options, in the review and in the list of unset options. */
export const optionLabels = {
  listener: () => vscode.l10n.t('$(server) Listener'),
  installCommand: () => vscode.l10n.t('$(cloud-download) Install command'),
  buildCommand: () => vscode.l10n.t('$(tools) Build command'),
} satisfies Record<DraftOption, () => string>;

const details = {
  listener: () => vscode.l10n.t('Runs the deployment in your own cluster'),
  installCommand: () => vscode.l10n.t("Replaces the service's own way to install packages"),
  buildCommand: () => vscode.l10n.t("Replaces the service's own way to build the application"),
} satisfies Record<DraftOption, () => string>;

/** Asks for one of the options that aren't set yet. */
export async function chooseOption(title: string, draft: DeploymentDraft): Promise<DraftOption | undefined> {
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Advanced options'),
    items: unsetOptions(draft).map((option) => ({ option, label: optionLabels[option](), detail: details[option]() })),
  });
  return choice === undefined || choice === back ? undefined : choice.option;
}

/** Asks for the deployment's name; undefined keeps the old one. */
export async function askDeploymentName(title: string, draft: DeploymentDraft): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('The name of the deployment. It cannot be changed later.'),
    placeholder: 'my-application',
    value: draft.name,
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  return answer === back ? undefined : answer?.trim();
}

const refIcons = { branch: 'git-branch', tag: 'tag', commit: 'git-commit' } satisfies Record<
  DeploymentRef['kind'],
  string
>;

/** Asks for a ref: offers the remote's known branches and tags if the repository is open here, or free text. */
export async function askRef(
  title: string,
  draft: DeploymentDraft,
  repository: WorkspaceRepository | undefined,
): Promise<DeploymentRef | undefined> {
  if (repository === undefined) return typeRef(title, draft);
  const items = (await repository.refs()).map((ref) => ({
    ref,
    label: `$(${refIcons[ref.kind]}) ${withoutIcons(ref.name)}`,
  }));
  const other = { ref: undefined, label: vscode.l10n.t('$(edit) Enter a branch, tag or commit…') };
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Select a branch or tag of {0}', repository.remote),
    items: [...items, other],
    active: items.find(({ ref }) => ref.kind === draft.ref.kind && ref.name === draft.ref.name),
  });
  if (choice === undefined || choice === back) return undefined;
  return choice.ref ?? typeRef(title, draft);
}

async function typeRef(title: string, draft: DeploymentDraft): Promise<DeploymentRef | undefined> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('A branch, refs/tags/… for a tag, or a whole commit id.'),
    placeholder: 'main',
    value: draft.ref.name,
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a branch, a tag or a commit.') : undefined),
  });
  return answer === undefined || answer === back ? undefined : parseDeploymentRef(answer);
}

/** Asks for a config path: offers the files that were found, or free text. */
export async function askConfigPath(
  title: string,
  draft: DeploymentDraft,
  paths: readonly string[],
): Promise<string | undefined> {
  if (paths.length === 0) return typeConfigPath(title, draft.configPath);
  const items = paths.map((path) => ({ path, label: `$(file) ${withoutIcons(path)}` }));
  const other = { path: undefined, label: vscode.l10n.t('$(edit) Enter a path…') };
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t("The application's config file, relative to the root of the repository"),
    items: [...items, other],
    active: items.find(({ path }) => path === draft.configPath),
  });
  if (choice === undefined || choice === back) return undefined;
  return choice.path ?? typeConfigPath(title, draft.configPath);
}

/** Asks for the path of a config file, relative to the root of the repository. */
export async function typeConfigPath(title: string, path: string): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: vscode.l10n.t('Relative to the root of the repository, with forward slashes and the file name.'),
    placeholder: 'services/agent/graph.json',
    value: path,
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the path of the config file.') : undefined),
  });
  return answer === undefined || answer === back
    ? undefined
    : answer
        .trim()
        .replaceAll('\\', '/')
        .replace(/^\.?\//, '');
}

/** Asks for a command to run during the build; undefined leaves it to the service. */
export async function askCommand(
  title: string,
  prompt: string,
  command: string | undefined,
): Promise<string | undefined> {
  const placeholder = vscode.l10n.t('Command, or empty');
  const answer = await askText({ title, prompt, placeholder, value: command ?? '' });
  if (answer === undefined || answer === back) return command;
  return answer.trim() === '' ? undefined : answer.trim();
}

export async function askDeploymentType(
  title: string,
  draft: DeploymentDraft,
): Promise<DeploymentDraft['deploymentType'] | undefined> {
  const items = [
    {
      type: 'dev_free' as const,
      label: 'dev_free',
      detail: vscode.l10n.t('For experiments, free of charge if the service offers it'),
    },
    { type: 'dev' as const, label: 'dev', detail: vscode.l10n.t('For development: small, and may be interrupted') },
    {
      type: 'prod' as const,
      label: 'prod',
      detail: vscode.l10n.t('For production: sized for steady use and kept running'),
    },
  ];
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Select the type of the deployment'),
    items,
    active: items.find(({ type }) => type === draft.deploymentType),
  });
  return choice === undefined || choice === back ? undefined : choice.type;
}
