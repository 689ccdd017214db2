import path from 'node:path';
import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withFileValues, type FileValue } from '../../../core/draft/deploymentFileText.ts';
import { sameRepository } from '../../../core/git/remote.ts';
import { isSpecMap, textOf, type SpecMap } from '../../../core/yaml/value.ts';
import { UserError } from '../../window/errors.ts';
import { relativePath } from '../../window/files.ts';
import { saveSpecFile } from '../../window/specFiles.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';

/** A path of a repository as a file in it writes it. */
export function pathFrom(file: string, target: string): string {
  return target === '' ? '' : path.posix.relative(path.posix.dirname(file), target);
}

/**
 * Saves the deployments of a draft as a file, suggested beside the config file of the first. In their repository, they
 * need not name it, and their paths start at the file; everything else stays as it is.
 * @param plan of the first deployment, if it has one
 */
export async function saveDraftAsFile(
  deployments: readonly FileDeployment[],
  plan: DeploymentPlan | undefined,
): Promise<vscode.Uri | undefined> {
  const repository = plan && workingCopyOf(plan);
  const [first] = deployments;
  const config = first?.content === undefined ? '' : textOf(first.content, 'config');
  return saveSpecFile({
    kind: 'deployment-spec',
    title: vscode.l10n.t('Save Deployment File'),
    name: first?.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'deployment',
    folder: repository && vscode.Uri.joinPath(repository.root, path.posix.dirname(config)),
    textFor: (file) => {
      const place = repository && relativePath(repository.root, file);
      const texts = deployments.map((deployment) =>
        place === undefined ? deployment.text : textAt(deployment, place, repository?.remoteUrl ?? ''),
      );
      return texts.join('');
    },
  });
}

/** The text of a deployment in a file of the repository whose URL is given. */
function textAt({ text, content = {} }: FileDeployment, place: string, repositoryUrl: string): string {
  if ((content['source'] ?? 'repohost') !== 'repohost') return text;
  const isOfRepository = sameRepository(textOf(content, 'repository'), repositoryUrl);
  const values: readonly FileValue[] = [
    ...(isOfRepository ? [{ path: ['repository'], value: undefined }] : []),
    ...['config', 'resources'].flatMap((key) => {
      const target = content[key];
      return typeof target === 'string' ? [{ path: [key], value: pathFrom(place, target) }] : [];
    }),
    ...dotenvPaths(content).map(({ path: to, value }) => ({ path: to, value: pathFrom(place, value) })),
  ];
  const result = withFileValues(text, values);
  if (result.kind === 'refused') throw new UserError(result.message);
  return result.state.document.text;
}

function dotenvPaths({ secrets }: SpecMap) {
  return Object.entries(isSpecMap(secrets) ? secrets : {}).flatMap(([name, origin]) => {
    const value = isSpecMap(origin) ? origin['env-file'] : undefined;
    return typeof value === 'string' ? [{ path: ['secrets', name, 'env-file'], value }] : [];
  });
}
