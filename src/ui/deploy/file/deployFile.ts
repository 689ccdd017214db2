import * as vscode from 'vscode';
import type { Finding } from '../../../core/draft/findings.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { useStoredSecrets } from '../../../state/deploying/draftSecrets.ts';
import type { Services } from '../../services.ts';
import { findIntegration } from '../findIntegration.ts';
import { offerDeployed } from '../live/offerDeployed.ts';
import { continueReview, reviewAndCreate } from '../reviewAndCreate.ts';
import { askMissingValues } from '../secrets/secretValues.ts';
import { readFilePlan, takeListener } from './filePlan.ts';
import { readEnvFiles } from './namedFiles.ts';

/**
 * Deploys what a deployment file describes, after the review that every deployment has.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 */
export async function deployFile(services: Services, window: ReadySession, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy from File');
  const read = await readFilePlan(services, window, argument, title);
  if (read === undefined) return;
  const { file, deployment, spec, plan, findings } = read;
  const { draft, session, repository } = plan;
  const start = {
    // Another text is another deployment.
    start: `file ${file.toString()} ${deployment.text}`,
    startOver: () => deployFile(services, window, argument),
  };
  if (await continueReview(services, window, start, repository && { repository })) return;
  const told: Finding[] = [...findings];
  if (draft.source === 'repohost' && repository !== undefined) {
    const { repositoryUrl, configPath, ref, name } = draft;
    const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames: [name], repository };
    const offered = await offerDeployed(services, session, wanted);
    if (offered === undefined) return;
    told.push(...offered);
  }
  if (draft.source === 'repohost' && draft.integrationId === '') {
    told.push(...(await findIntegration(services, plan, draft)));
  }
  told.push(...(await takeListener(plan, spec)));
  told.push(...(await readEnvFiles(services.workspaceMemory, plan, { file, spec })));
  told.push(...(await useStoredSecrets(services.secrets, session.connection, plan)));
  const askFirst = async (): Promise<readonly Finding[]> => {
    await askMissingValues(plan);
    return [];
  };
  await reviewAndCreate(services, plan, { ...start, findings: told, askFirst }, window);
}
