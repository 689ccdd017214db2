import * as vscode from 'vscode';
import { type Source, SOURCES } from '../../../api/schema/enums.ts';
import { deploymentRefText, parseDeploymentRef, type DeploymentRef } from '../../../core/git/deploymentRef.ts';
import { draftFields, fieldProblem, type TextField, type TextFieldFacts } from '../../../core/draft/fields.ts';
import { tidyPath } from '../../../core/draft/fieldProblem.ts';
import { sourceFacts } from '../../../core/draft/sources.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { askChoice, askText, back, type QuestionPlace } from '../../window/steps.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';

/** Asks for the text of a field and checks it; undefined if the user goes back. */
export async function askFieldText(place: QuestionPlace, field: TextField, value: string): Promise<string | undefined> {
  const { help, example }: TextFieldFacts = draftFields[field];
  const answer = await askText({
    ...place,
    prompt: help(),
    placeholder: example(),
    value,
    problemOf: (text) => fieldProblem(field, tidied(field, text)),
  });
  return answer === undefined || answer === back ? undefined : tidied(field, answer);
}

function tidied(field: TextField, text: string): string {
  return field === 'configPath' ? tidyPath(text) : text.trim();
}

/** A row for each source. */
export function sourceItems(): readonly (vscode.QuickPickItem & { readonly source: Source })[] {
  return SOURCES.map((source) => {
    const { title, explanation, offered } = sourceFacts[source];
    return { source, label: title(), description: offered(), detail: explanation() };
  });
}

const refIcons = { branch: 'git-branch', tag: 'tag', commit: 'git-commit' } satisfies Record<
  DeploymentRef['kind'],
  string
>;

/** Asks for a ref: offers the remote's known branches and tags if the repository is open here, or free text. */
export async function askRef(
  place: QuestionPlace,
  ref: DeploymentRef,
  repository: WorkspaceRepository | undefined,
): Promise<DeploymentRef | undefined> {
  if (repository !== undefined) {
    const items = (await repository.refs()).map((known) => ({
      ref: known,
      label: `$(${refIcons[known.kind]}) ${withoutIcons(known.name)}`,
    }));
    const other = { ref: undefined, label: vscode.l10n.t('$(edit) Enter a branch, tag or commit…') };
    const choice = await askChoice({
      ...place,
      placeholder: vscode.l10n.t('Select a branch or tag of {0}', repository.remote),
      items: [...items, other],
      active: items.find((item) => item.ref.kind === ref.kind && item.ref.name === ref.name),
    });
    if (choice === undefined) return undefined;
    if (choice.ref !== undefined) return choice.ref;
  }
  const answer = await askFieldText(place, 'ref', deploymentRefText(ref));
  return answer === undefined ? undefined : parseDeploymentRef(answer);
}

/** Asks for a config path: offers the files that were found, or free text. */
export async function askConfigPath(
  place: QuestionPlace,
  present: string,
  paths: readonly string[],
): Promise<string | undefined> {
  if (paths.length > 0) {
    const items = paths.map((path) => ({ path, label: `$(file) ${withoutIcons(path)}` }));
    const other = { path: undefined, label: vscode.l10n.t('$(edit) Enter a path…') };
    const choice = await askChoice({
      ...place,
      placeholder: vscode.l10n.t("Select the application's config file"),
      items: [...items, other],
      active: items.find(({ path }) => path === present),
    });
    if (choice === undefined) return undefined;
    if (choice.path !== undefined) return choice.path;
  }
  return askFieldText(place, 'configPath', present);
}
