import path from 'node:path';
import * as vscode from 'vscode';
import { readDeploymentFile } from '../../../core/draft/deploymentFile.ts';
import { deploymentFileText } from '../../../core/draft/deploymentFileText.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { flavorNameOf } from '../../../state/connections/connection.ts';
import { relativePath } from '../../window/files.ts';
import { reservedSecretNames } from '../../window/settings.ts';
import { readSpecFile, saveSpecFile } from '../../window/specFiles.ts';
import { nameOf } from '../../window/specNames.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';

/** A path of a repository as a file in it writes it. */
export function pathFrom(file: string, target: string): string {
  return target === '' ? '' : path.posix.relative(path.posix.dirname(file), target);
}

/** Saves a draft as a deployment file, suggested beside its config file, and opens it behind the review. */
export async function saveDeploymentFile(plan: DeploymentPlan): Promise<readonly Finding[]> {
  const { draft, session } = plan;
  const root = workingCopyOf(plan)?.root;
  const configPath = 'configPath' in draft ? draft.configPath : '';
  const saved = await saveSpecFile({
    kind: 'deployment-spec',
    title: vscode.l10n.t('Save Deployment File'),
    name: draft.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'deployment',
    folder: root && vscode.Uri.joinPath(root, path.posix.dirname(configPath)),
    textFor: (file) => {
      const place = root && relativePath(root, file);
      return place === undefined
        ? deploymentFileText(draft, { isInRepository: false, configPath })
        : deploymentFileText(draft, { isInRepository: true, configPath: pathFrom(place, configPath) });
    },
  });
  if (saved === undefined) return [];
  await vscode.window.showTextDocument(saved, { preview: false, preserveFocus: true });
  const rules = { flavorFor: () => flavorNameOf(session.connection), reservedNames: reservedSecretNames() };
  const said = readDeploymentFile(await readSpecFile(saved), rules).flatMap(({ findings }) => findings);
  const doubts = said.filter(({ severity }) => severity !== 'info');
  return [
    finding('info', vscode.l10n.t('Saved as {0}.', nameOf(saved))),
    ...doubts.map(({ message }) => finding('warning', vscode.l10n.t('{0}: {1}', nameOf(saved), message))),
  ];
}
