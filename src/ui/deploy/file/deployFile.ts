import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { createRequest } from '../../../core/draft/createRequest.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import type { Services } from '../../services.ts';
import { UserError } from '../../window/errors.ts';
import { findIntegration } from '../findIntegration.ts';
import { offerDeployed } from '../live/offerDeployed.ts';
import type { DeploymentPlan } from '../plan.ts';
import { continueReview, reviewAndCreate, type CommandStart } from '../reviewAndCreate.ts';
import { askMissingValues } from '../secrets/secretValues.ts';
import { reviewTogether } from '../severalApplications.ts';
import { readFilePlans, takeListener, type FilePlan } from './filePlan.ts';
import { takeSecrets } from './fileSecrets.ts';

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
  const startOver = async (): Promise<void> => deployFile(services, window, argument);
  if (second === undefined) await deployOne(services, window, first, startOver);
  else await deployAll(services, window, plans, first.plan, startOver);
}

async function deployOne(
  services: Services,
  window: ReadySession,
  read: FilePlan,
  startOver: CommandStart['startOver'],
): Promise<void> {
  const { title, plan } = read;
  const { draft, session, repository } = plan;
  const offered: Finding[] = [];
  if (draft.source === 'repohost' && repository !== undefined) {
    const { repositoryUrl, configPath, ref, name } = draft;
    const wanted = { title, repositoryUrl, configPath, refs: [ref], usualNames: [name], repository };
    const found = await offerDeployed(services, session, wanted);
    if (found === undefined) return;
    offered.push(...found);
  }
  const told = [...offered, ...(await complete(services, read))];
  const start: CommandStart = { start: startOf([read]), startOver, connection: session.connection.name };
  if (await continueReview(services, session, start, { window, ...(repository && { repository }) })) return;
  const askFirst = async (): Promise<readonly Finding[]> => {
    const before = draft.secrets;
    await askMissingValues(plan);
    // What was typed is kept when the review is left.
    if (draft.secrets.some((secret) => !before.includes(secret))) draft.provenance.secrets = { kind: 'user' };
    return [];
  };
  await reviewAndCreate(services, plan, { ...start, findings: told, askFirst }, window);
}

async function deployAll(
  services: Services,
  window: ReadySession,
  plans: readonly FilePlan[],
  { session }: DeploymentPlan,
  startOver: CommandStart['startOver'],
): Promise<void> {
  if (plans.some(({ plan }) => plan.session.connection.name !== session.connection.name)) {
    throw new UserError(
      vscode.l10n.t('The deployments of this file are for different connections. Deploy them one by one.'),
    );
  }
  const made: { plan: DeploymentPlan; findings: readonly Finding[] }[] = [];
  for (const read of plans) {
    made.push({ plan: read.plan, findings: await complete(services, read) });
  }
  const start = startOf(plans);
  const left = services.leftReviews
    .take(start)
    ?.plan.together?.map((plan) => ({ plan: { ...plan, session }, findings: [] }));
  const isContinued = left !== undefined;
  const together = { session, isMoved: session !== window, start, isContinued, plans: left ?? made };
  if (await reviewTogether(services, together)) await startOver();
}

/** What a review is continued by: the same deployments to be, with the same values, on the same service. */
function startOf(plans: readonly FilePlan[]): string {
  const made = plans.map(({ file, plan: { draft, session } }) => [
    file.toString(),
    session.connection,
    createRequest(draft),
  ]);
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/** Looks up what a file leaves to the service and to this machine. */
async function complete(services: Services, read: FilePlan): Promise<readonly Finding[]> {
  const { spec, plan } = read;
  const { draft } = plan;
  const isToBeFound = draft.source === 'repohost' && draft.integrationId === '';
  return [
    ...(isToBeFound ? await findIntegration(services, plan, draft) : []),
    ...(await takeListener(plan, spec)),
    ...(await takeSecrets(services, plan, read)),
  ];
}
