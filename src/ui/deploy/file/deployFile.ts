import * as vscode from 'vscode';
import type { Finding } from '../../../core/draft/findings.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { useStoredSecrets } from '../../../state/deploying/draftSecrets.ts';
import type { Services } from '../../services.ts';
import { UserError } from '../../window/errors.ts';
import { findIntegration } from '../findIntegration.ts';
import { offerDeployed } from '../live/offerDeployed.ts';
import type { DeploymentPlan } from '../plan.ts';
import { continueReview, reviewAndCreate, type CommandStart } from '../reviewAndCreate.ts';
import { askMissingValues } from '../secrets/secretValues.ts';
import { reviewTogether } from '../severalApplications.ts';
import { readFilePlans, takeListener, type FilePlan } from './filePlan.ts';
import { readEnvFiles } from './namedFiles.ts';

/**
 * Deploys what a deployment file describes, after the review that every deployment has; several deployments after their
 * list.
 * @param argument the file, or one of its deployments; without it, the one in front, else one that the user chooses
 */
export async function deployFile(services: Services, window: ReadySession, argument: unknown): Promise<void> {
  const title = vscode.l10n.t('Deploy from File');
  const plans = await readFilePlans(services, window, argument, { title, mayBeSeveral: true });
  const [first, second] = plans;
  if (first === undefined) return;
  const start: CommandStart = {
    // Other texts are other deployments.
    start: `file ${first.file.toString()} ${plans.map(({ deployment }) => deployment.text).join('')}`,
    startOver: () => deployFile(services, window, argument),
  };
  if (second === undefined) await deployOne(services, window, first, start);
  else await deployAll(services, window, plans, first.plan, start);
}

async function deployOne(services: Services, window: ReadySession, read: FilePlan, start: CommandStart): Promise<void> {
  const { title, plan, findings } = read;
  const { draft, session, repository } = plan;
  if (await continueReview(services, window, start, repository && { repository })) return;
  const offered: Finding[] = [];
  if (draft.source === 'repohost' && repository !== undefined) {
    const { repositoryUrl, configPath, ref, name } = draft;
    const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames: [name], repository };
    const found = await offerDeployed(services, session, wanted);
    if (found === undefined) return;
    offered.push(...found);
  }
  const completed = await complete(services, read);
  const unread = await useStoredSecrets(services.secrets, session.connection, plan);
  const askFirst = async (): Promise<readonly Finding[]> => {
    await askMissingValues(plan);
    return [];
  };
  const told = [...findings, ...offered, ...completed, ...unread];
  await reviewAndCreate(services, plan, { ...start, findings: told, askFirst }, window);
}

async function deployAll(
  services: Services,
  window: ReadySession,
  plans: readonly FilePlan[],
  { session }: DeploymentPlan,
  start: CommandStart,
): Promise<void> {
  if (plans.some(({ plan }) => plan.session.connection.name !== session.connection.name)) {
    throw new UserError(
      vscode.l10n.t('The deployments of this file are for different connections. Deploy them one by one.'),
    );
  }
  const left = services.leftReviews.take(start.start)?.plan.together?.map((plan) => ({ plan, findings: [] }));
  const made: { plan: DeploymentPlan; findings: readonly Finding[] }[] = [];
  for (const read of left === undefined ? plans : []) {
    made.push({ plan: read.plan, findings: [...read.findings, ...(await complete(services, read))] });
  }
  const startsOver = await reviewTogether(services, {
    session,
    isMoved: session !== window,
    start: start.start,
    isContinued: left !== undefined,
    plans: left ?? made,
  });
  if (startsOver) await start.startOver();
}

/** Looks up what a file leaves to the service and to this machine. */
async function complete(services: Services, { file, spec, plan }: FilePlan): Promise<readonly Finding[]> {
  const { draft } = plan;
  const isToBeFound = draft.source === 'repohost' && draft.integrationId === '';
  return [
    ...(isToBeFound ? await findIntegration(services, plan, draft) : []),
    ...(await takeListener(plan, spec)),
    ...(await readEnvFiles(services.workspaceMemory, plan, { file, spec })),
  ];
}
