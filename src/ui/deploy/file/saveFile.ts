import path from 'node:path';
import * as vscode from 'vscode';
import { deploymentFileText } from '../../../core/draft/deploymentFileText.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { relativePath } from '../../window/files.ts';
import { saveSpecFile } from '../../window/specFiles.ts';
import { nameOf } from '../../window/specNames.ts';
import { workingCopyOf, type DeploymentPlan } from '../plan.ts';

/** Saves a draft as a deployment file, suggested beside its config file, and opens it behind the review. */
export async function saveDeploymentFile(plan: DeploymentPlan): Promise<readonly Finding[]> {
  const { draft } = plan;
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
        : deploymentFileText(draft, {
            isInRepository: true,
            configPath: path.posix.relative(path.posix.dirname(place), configPath),
          });
    },
  });
  if (saved === undefined) return [];
  await vscode.window.showTextDocument(saved, { preview: false, preserveFocus: true });
  return [finding('info', vscode.l10n.t('Saved as {0}.', nameOf(saved)))];
}
