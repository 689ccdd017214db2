import * as vscode from 'vscode';
import type { DeploymentDraft } from '../../core/deploymentDraft.ts';
import { unsetOptions, type DraftOption } from '../../core/draftOptions.ts';
import { askChoice, back } from '../steps.ts';

/** The names of the options, in the review and in the list of those that are not set. */
export const optionLabels = {
  listener: () => vscode.l10n.t('$(server) Listener'),
  installCommand: () => vscode.l10n.t('$(cloud-download) Install command'),
  buildCommand: () => vscode.l10n.t('$(tools) Build command'),
} satisfies Record<DraftOption, () => string>;

const details = {
  listener: () => vscode.l10n.t('The cluster that it runs on, where the service does not run it itself'),
  installCommand: () => vscode.l10n.t("What installs the application's packages, instead of what the service does"),
  buildCommand: () => vscode.l10n.t('What builds the application, instead of what the service does'),
} satisfies Record<DraftOption, () => string>;

/** Asks which of the options that are not set yet is meant. */
export async function chooseOption(title: string, draft: DeploymentDraft): Promise<DraftOption | undefined> {
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('What few deployments need'),
    items: unsetOptions(draft).map((option) => ({ option, label: optionLabels[option](), detail: details[option]() })),
  });
  return choice === undefined || choice === back ? undefined : choice.option;
}
