import path from 'node:path';
import * as vscode from 'vscode';
import { contentOf } from '../../../core/draft/begunDraft.ts';
import { documentsIn, type FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withFileValues, type FileValue } from '../../../core/draft/deploymentFileText.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { sameRepository } from '../../../core/git/remote.ts';
import { firstNames } from '../../../core/text/text.ts';
import { isAbsent, isSpecMap, textOf, type SpecMap } from '../../../core/yaml/value.ts';
import type { Services } from '../../services.ts';
import { confirm } from '../../window/errors.ts';
import { exists, relativePath } from '../../window/files.ts';
import { readSpecFile, saveSpecFile, textAfterEdit } from '../../window/specFiles.ts';
import { nameOf } from '../../window/specNames.ts';
import { openRepositoryOf, readWorkspaceRepository } from '../../workspace/findRepository.ts';
import type { WorkspaceRepository } from '../../workspace/workspaceRepository.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';

/** A path of a repository as a file in it writes it. */
export function pathFrom(file: string, target: string): string {
  return target === '' ? '' : path.posix.relative(path.posix.dirname(file), target);
}

/**
 * Saves the deployments of a draft as a file, suggested beside the config file of the first. Leaves out the repository
 * that the file is in and the branch that is checked out there. Paths start at the file; everything else stays as it is.
 * @param plans of the deployments that have one, at the same positions
 * @param folder the folder that the draft uploads; a file can't name it
 */
export async function saveDraftAsFile(
  { remoteAddresses }: Pick<Services, 'remoteAddresses'>,
  deployments: readonly FileDeployment[],
  plans: readonly (DeploymentPlan | undefined)[],
  folder?: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Save Deployment File');
  const [first] = deployments;
  const repository = plans[0] && workingCopyOf(plans[0]);
  const config = textOf(first?.content, 'config');
  const root = folder ?? repository?.root;
  return saveSpecFile({
    kind: 'deployment-spec',
    title,
    name: first?.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'deployment',
    folder: root && vscode.Uri.joinPath(root, path.posix.dirname(config)),
    textFor: async (file) => {
      await confirmReplaced(file, deployments);
      // As the page of the file will find them.
      const clones = await Promise.all(
        deployments.map(async ({ content }, index) => {
          const plan = plans[index];
          if (plan !== undefined) return workingCopyOf(plan);
          const repositoryUrl = textOf(content, 'repository');
          return openRepositoryOf(remoteAddresses, { source: 'repohost', repositoryUrl }, title);
        }),
      );
      const isInside = clones.some((clone) => placeIn(clone, file) !== undefined);
      const rootUri = vscode.Uri.joinPath(file, '..');
      // One that can't be read is named.
      const around = isInside
        ? await readWorkspaceRepository(remoteAddresses, { rootUri }).catch(() => undefined)
        : undefined;
      const texts = deployments.map((deployment, index) =>
        textAt(file, { deployment, plan: plans[index], clone: clones[index], around, folder }),
      );
      return texts.join('');
    },
  });
}

/** Asks before a file loses deployments that the draft doesn't have, which VS Code's own question can't tell. */
async function confirmReplaced(file: vscode.Uri, deployments: readonly FileDeployment[]): Promise<void> {
  const text = (await exists(file)) ? await readSpecFile(file) : '';
  const gone = documentsIn(text).flatMap((part, index) => {
    const content = contentOf(part);
    const [name, connection] = [textOf(content, 'name').trim(), textOf(content, 'connection').trim()];
    const isKept = deployments.some((each) => each.name === name && each.connection === connection);
    return isKept || part.text.trim() === '' ? [] : [name || vscode.l10n.t('Deployment {0}', index + 1)];
  });
  if (gone.length === 0) return;
  const question = vscode.l10n.t('Replace {0}?', nameOf(file));
  const detail = vscode.l10n.t('The file loses these deployments: {0}.', firstNames(gone));
  if (!(await confirm(question, vscode.l10n.t('Replace'), detail))) throw new vscode.CancellationError();
}

function placeIn(repository: WorkspaceRepository | undefined, file: vscode.Uri): string | undefined {
  return repository && relativePath(repository.root, file);
}

interface SavedDeployment {
  readonly deployment: FileDeployment;
  readonly plan: DeploymentPlan | undefined;
  /** The open repository that it is made from. */
  readonly clone: WorkspaceRepository | undefined;
  /** The repository around the file. */
  readonly around: WorkspaceRepository | undefined;
  readonly folder: vscode.Uri | undefined;
}

/** The text of a deployment in a file. What its draft had without naming it is named. */
function textAt(file: vscode.Uri, saved: SavedDeployment): string {
  const { deployment, plan, clone, folder } = saved;
  const { text, content } = deployment;
  if (content === undefined) return text;
  // The files on this machine that it names are in the folder or the repository of the draft.
  const root = folder ?? (plan?.repository ?? clone)?.root;
  const isOfRepository = (content['source'] ?? 'repohost') === 'repohost';
  const values = [
    ...(isOfRepository ? repositoryValues(file, content, saved) : []),
    ...(root === undefined ? [] : localPaths(content, (target) => pathTo(file, root, target))),
  ];
  return textAfterEdit(withFileValues(text, values));
}

function repositoryValues(
  file: vscode.Uri,
  content: SpecMap,
  { plan, clone, around }: SavedDeployment,
): readonly FileValue[] {
  const draft = plan?.draft.source === 'repohost' ? plan.draft : undefined;
  const inDraft = (key: string, own: string | undefined) => (isAbsent(content[key]) ? own : content[key]);
  const repository = inDraft('repository', draft?.repositoryUrl);
  const ref = inDraft('ref', draft && deploymentRefText(draft.ref));
  const config = inDraft('config', draft?.configPath);
  const own =
    typeof repository === 'string' && sameRepository(repository, around?.remoteUrl ?? '') ? around : undefined;
  const isCheckedOut = own?.checkedOut?.kind === 'branch' && own.checkedOut.name === ref;
  // Paths of a file in another repository begin at the root.
  const place = placeIn(own ?? clone, file);
  return [
    { path: ['repository'], value: own === undefined ? repository : undefined },
    { path: ['ref'], value: isCheckedOut ? undefined : ref },
    { path: ['config'], value: place === undefined || typeof config !== 'string' ? config : pathFrom(place, config) },
  ];
}

/** The files on this machine that a deployment names, with other paths. */
export function localPaths({ resources, secrets }: SpecMap, pathOf: (target: string) => string): readonly FileValue[] {
  const dotenv = Object.entries(isSpecMap(secrets) ? secrets : {}).flatMap(([name, origin]) => {
    const value = textOf(origin, 'env-file');
    return value === '' ? [] : [{ path: ['secrets', name, 'env-file'], value: pathOf(value) }];
  });
  return [...(typeof resources === 'string' ? [{ path: ['resources'], value: pathOf(resources) }] : []), ...dotenv];
}

/** A path from the root of a repository, as a file in it or elsewhere writes it. */
function pathTo(file: vscode.Uri, root: vscode.Uri, target: string): string {
  const place = relativePath(root, file);
  if (place !== undefined) return pathFrom(place, target);
  return path.posix.relative(path.posix.dirname(file.path), vscode.Uri.joinPath(root, target).path);
}
