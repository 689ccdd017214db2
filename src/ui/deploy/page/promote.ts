import * as vscode from 'vscode';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import { beginDraft } from '../../../core/draft/begunDraft.ts';
import { withFileValues } from '../../../core/draft/deploymentFileText.ts';
import type { DeploymentSpec, SecretOrigin } from '../../../core/draft/deploymentFileSchema.ts';
import { draftFields, uniqueFields } from '../../../core/draft/fields.ts';
import { finding } from '../../../core/draft/findings.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { chooseAmong } from '../../connections/keys.ts';
import type { Services } from '../../services.ts';
import { relativePath } from '../../window/files.ts';
import { openDraft } from '../deploymentDrafts.ts';
import type { DeploymentPlan } from '../plan.ts';

/**
 * Opens the page of a draft that has what a deployment file says, for a connection that the user chooses. Values of
 * secrets stay behind, and so does what two deployments can't share.
 */
export async function promote(
  services: Services,
  file: vscode.Uri,
  { secrets }: Pick<DeploymentSpec, 'secrets'>,
  plan: DeploymentPlan,
): Promise<void> {
  const { connections } = services;
  const title = vscode.l10n.t('Promote {0}', withoutIcons(plan.draft.name));
  const connection = await chooseAmong(connections, connections.list(), { title, argument: undefined });
  if (connection === undefined) return;
  const draft = structuredClone(plan.draft);
  draft.secrets = draft.secrets.map(({ name }) => ({ name, value: undefined }));
  // The integration is found again by the repository, the listener by its cluster.
  if (draft.source === 'repohost') draft.integrationId = '';
  const findings = uniqueFields.flatMap((field) => {
    if (draft[field] === undefined) return [];
    delete draft[field];
    const { label } = draftFields[field];
    const message = vscode.l10n.t("Not taken along: {0}. Two deployments can't share it.", label());
    return [finding('info', message, field)];
  });
  const begun = beginDraft({ draft, findings }, connection.name);
  const place = plan.repository && relativePath(plan.repository.root, file);
  const origins = Object.entries(secrets ?? {}).map(([name, origin]) => ({
    path: ['secrets', name],
    value: originInDraft(place, origin),
  }));
  const edited = withFileValues(begun.text, origins);
  const text = edited.kind === 'edited' ? edited.state.document.text : begun.text;
  await openDraft(services, `promote ${connection.name} ${file.toString()} ${draft.name}`, {
    ...begun,
    text,
    root: plan.repository?.root.toString(),
  });
}

/**
 * Where the value of a secret comes from in a draft, whose paths start at the root of the repository.
 * @param place the file's path in the repository; undefined if it is in none, from which no draft reads
 */
function originInDraft(place: string | undefined, origin: SecretOrigin): SecretOrigin {
  if (typeof origin === 'string') return origin;
  const path = place === undefined ? undefined : resolveFromConfig(place, origin['env-file']);
  return path === undefined ? 'ask' : { 'env-file': path };
}
