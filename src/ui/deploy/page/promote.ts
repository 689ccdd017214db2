import * as vscode from 'vscode';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import { beginDraft } from '../../../core/draft/begunDraft.ts';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withFileValues, type FileValue } from '../../../core/draft/deploymentFileText.ts';
import { draftFields, uniqueFields } from '../../../core/draft/fields.ts';
import { finding } from '../../../core/draft/findings.ts';
import { deploymentRefText } from '../../../core/git/deploymentRef.ts';
import { toSpecMap } from '../../../core/spec/specText.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { chooseAmong } from '../../connections/keys.ts';
import type { Services } from '../../services.ts';
import { relativePath } from '../../window/files.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import { openDraft } from '../deploymentDrafts.ts';
import { localPaths } from '../file/saveFile.ts';
import type { DeploymentPlan } from '../plan.ts';

/**
 * Opens the page of a draft that is a deployment of a file, for a connection that the user chooses. Values of secrets
 * stay behind, and so does what two deployments can't share.
 * @throws {UserError} a value can't be changed, because aliases share it
 */
export async function promote(
  services: Services,
  file: vscode.Uri,
  deployment: FileDeployment,
  plan: DeploymentPlan,
): Promise<void> {
  const { connections } = services;
  const title = vscode.l10n.t('Promote {0}', withoutIcons(plan.draft.name));
  const connection = await chooseAmong(connections, connections.list(), { title, argument: undefined });
  if (connection === undefined) return;
  const draft = structuredClone(plan.draft);
  const findings = uniqueFields.flatMap((field) => {
    if (draft[field] === undefined) return [];
    const { label } = draftFields[field];
    const message = vscode.l10n.t("Not taken along: {0}. Two deployments can't share it.", label());
    return [finding('info', message, field)];
  });
  const begun = beginDraft({ draft, findings }, connection.name);
  const values = [
    { path: ['connection'], value: connection.name },
    ...draftValues(file, deployment, { ...plan, draft }),
  ];
  await openDraft(services, `promote ${connection.name} ${file.toString()} ${draft.name}`, {
    ...begun,
    text: textAfterEdit(withFileValues(textAlone(deployment), values)),
    root: plan.repository?.root.toString(),
  });
}

/** The text of a deployment as that of a file of its own: without the line that divides it from the one before it. */
function textAlone({ text }: FileDeployment): string {
  const own = text.replace(/^---[ \t]*\r?\n/, '');
  return own.endsWith('\n') ? own : `${own}\n`;
}

/** What a draft says otherwise than the file that it is made of: repository and ref, and paths from the root. */
function draftValues(
  file: vscode.Uri,
  { content = {} }: FileDeployment,
  { draft, repository }: DeploymentPlan,
): readonly FileValue[] {
  const place = repository && relativePath(repository.root, file);
  const pathOf = (target: string): string => (place === undefined ? undefined : resolveFromConfig(place, target)) ?? '';
  const local = localPaths(content, pathOf).map(({ path, value }): FileValue => {
    if (value !== '') return { path, value };
    // A draft can't read what is outside the repository.
    const [key = '', name = ''] = path;
    return key === 'secrets'
      ? { path: [key, name], value: 'ask' }
      : { path, value: toSpecMap(draft.resourceSpec ?? {}) };
  });
  return [
    ...(draft.source === 'repohost'
      ? [
          { path: [draftFields.repositoryUrl.key], value: draft.repositoryUrl },
          { path: [draftFields.ref.key], value: deploymentRefText(draft.ref) },
          { path: [draftFields.configPath.key], value: draft.configPath },
          // Found again by the repository.
          { path: [draftFields.integrationId.key], value: undefined },
        ]
      : []),
    ...uniqueFields.map((field) => ({ path: [draftFields[field].key], value: undefined })),
    // Found again by its cluster.
    { path: [draftFields.listener.key], value: draft.listener?.name },
    ...local,
  ];
}
