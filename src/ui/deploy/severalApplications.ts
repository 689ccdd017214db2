import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import { continued, hasInput } from '../../core/draft/keptDraft.ts';
import { emptyDraft, type RepositoryDraft } from '../../core/draft/draft.ts';
import type { Finding } from '../../core/draft/findings.ts';
import { worstFirst } from '../../core/draft/preflight/preflight.ts';
import { applicationDrafts, failureSentences } from '../../core/draft/severalApplications.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useStoredSecrets } from '../../state/deploying/draftSecrets.ts';
import { ExistingDeployments } from '../../state/deploying/existingDeployments.ts';
import { draftPlace, forgetDraft, keepDraft } from '../../state/deploying/keptDrafts.ts';
import { searchRef } from '../../state/workspace/searchDeployments.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, requestIdOf, showMessage } from '../window/errors.ts';
import { askChoice, askChoices } from '../window/steps.ts';
import { unlessAborted, whileAsking, whileWaiting } from '../window/waiting.ts';
import { checkPlan, listedOf } from './checkPlan.ts';
import { type DeploymentPlan, suggestionOf } from './plan.ts';
import { confirmWarnings, leaveReview, reviewUntilCreated } from './reviewAndCreate.ts';
import { showCreated, lateKey, sendDraft } from './sendDraft.ts';

/** One of several applications. */
interface Application {
  readonly plan: DeploymentPlan;
  /** Findings about its last request. */
  lastFindings: readonly Finding[];
  /** Whether its last request may have created it although it failed. */
  mayExist?: boolean;
  /** Findings of its last check. */
  findings: readonly Finding[];
}

/** A row of the list: an application, or else a row that deploys or starts over. */
interface ListItem extends vscode.QuickPickItem {
  readonly application?: Application;
  readonly startsOver?: true;
}

/**
 * Deploys several applications of a repository: choose the config files, then one list with a line for each.
 * A line opens the ordinary review of its application. An application that can't be created stops none of the others.
 * @param plan the plan of one application; the others start from its repository, ref and connection
 * @param isMoved whether the review moved to another connection
 * @returns false if no config file was chosen
 */
export async function deploySeveral(services: Services, plan: DeploymentPlan, isMoved: boolean): Promise<boolean> {
  const { draft, session } = plan;
  if (draft.source !== 'repohost') return false;
  const start = `several ${draft.repositoryUrl}`;
  const left = services.leftReviews.take(start)?.plan.together;
  const chosen: readonly Pick<DeploymentPlan, 'draft' | 'typed'>[] =
    left ?? (await chooseApplications(services, plan, draft)).map((each) => ({ draft: each }));
  if (chosen.length === 0) return false;
  const together: DeploymentPlan[] = [];
  for (const { draft: each, typed = new Map<string, string>() } of chosen) {
    const present = emptyDraft(each.source, session.connection.name);
    const { draft: own } = continued({ draft: each, leftOut: [] }, present);
    const name = own.source === 'repohost' ? own.configPath : own.name;
    together.push({
      ...plan,
      title: vscode.l10n.t('Deploy {0}', name),
      draft: own,
      together,
      deploySeveral: undefined,
      typed,
    });
  }
  let startsOver = false;
  try {
    startsOver = await reviewList(services, session, together, { isMoved, isContinued: left !== undefined });
  } catch (error) {
    if (!isCancelled(error)) throw error;
  } finally {
    const [first] = together;
    if (first !== undefined && !startsOver) leaveReview(services, start, first, session);
  }
  return startsOver ? deploySeveral(services, plan, isMoved) : true;
}

/** Asks which applications to deploy, and says which ones are deployed already; none if the user cancels. */
async function chooseApplications(
  services: Services,
  plan: DeploymentPlan,
  draft: RepositoryDraft,
): Promise<readonly RepositoryDraft[]> {
  const { session } = plan;
  const found = new Set([draft.configPath, ...(plan.repository?.configPaths ?? [])].filter((path) => path !== ''));
  const words = vscode.l10n.t('Checking {0} applications…', found.size);
  let deployed: readonly Deployment[] = [];
  let placeholder = vscode.l10n.t('Select the config files of the applications');
  try {
    deployed = await whileAsking(session, { title: title(), words }, (client, signal) =>
      searchRef(client, { ...draft, loaded: listedOf(services, session) }, { signal }),
    );
  } catch (error) {
    if (isCancelled(error)) return [];
    services.log.error(`deploy several: ${messageOf(error)}${requestIdOf(error)}`);
    placeholder = vscode.l10n.t("Couldn't check what is deployed already. Select the config files");
  }
  const chosen = await askChoices({
    review: plan,
    title: title(),
    placeholder,
    items: [...found].map((path) => {
      const those = deployed.filter((each) => each.source_revision_config?.graph_config_path === path);
      const names = those.map(({ name }) => name);
      const description = withoutIcons(vscode.l10n.t('deployed as {0}', names.join(', ')));
      const item = { path, label: withoutIcons(path) };
      return names.length > 0 ? { ...item, description } : { ...item, picked: path === draft.configPath };
    }),
  });
  return applicationDrafts(
    draft,
    (chosen ?? []).map(({ path }) => path),
  );
}

function title(): string {
  return vscode.l10n.t('Deploy Several Applications');
}

/**
 * Shows the list until every application is created or the user leaves it, and returns whether to start over.
 * Takes what each round creates out of the plans: however the list ends, they are what is left to continue.
 */
async function reviewList(
  services: Services,
  session: ReadySession,
  plans: DeploymentPlan[],
  { isMoved, isContinued }: { readonly isMoved: boolean; readonly isContinued: boolean },
): Promise<boolean> {
  const existing = new ExistingDeployments();
  const confirmed = new Set<string>();
  let applications: readonly Application[] = await Promise.all(
    plans.map(async (plan) => {
      const lastFindings = await useStoredSecrets(services.secrets, session.connection, plan);
      return { plan, lastFindings, findings: [] };
    }),
  );
  let opened: Application | undefined;
  for (;;) {
    // Those that were created, or found late, have left the plans.
    applications = applications.filter(({ plan }) => plans.includes(plan));
    if (applications.length === 0) return false;
    await checkApplications(services, applications, existing);
    const choice = await chooseInList(session, applications, { opened, isContinued });
    if (choice === undefined) return false;
    if (choice.startsOver === true) return true;
    // One may have been found while the list was open.
    const isLeft = ({ plan }: Application): boolean => plans.includes(plan);
    const { application } = choice;
    if (application !== undefined) {
      if (!isLeft(application)) continue;
      const { lastFindings } = application;
      opened = application;
      application.lastFindings = [];
      const end = await reviewUntilCreated(services, session, application.plan, lastFindings);
      if (end.kind === 'left') return false;
      continue;
    }
    const ready = applications.filter(isReady).filter(isLeft);
    const names = ready.map(({ plan }) => plan.draft.name).join(', ');
    const warnings = ready.flatMap(({ findings }) => findings);
    const question = vscode.l10n.t('Deploy {0} to {1}?', names, session.connection.name);
    if (!(await confirmWarnings({}, question, warnings, confirmed))) continue;
    const created = await createApplications(services, session, ready, existing, isMoved);
    plans.splice(0, plans.length, ...plans.filter((plan) => !created.has(plan)));
    existing.forget();
  }
}

/** Checks one application after the other, because each takes a name that the others don't have. */
async function checkApplications(
  services: Services,
  applications: readonly Application[],
  existing: ExistingDeployments,
): Promise<void> {
  const words = vscode.l10n.t('Checking {0} applications…', applications.length);
  const check = async (signal: AbortSignal): Promise<void> => {
    for (const application of applications) {
      const { plan, lastFindings: told } = application;
      const suggestedName = suggestionOf(plan);
      const { findings } = await checkPlan(services, plan, { existing, suggestedName, told, signal });
      application.findings = findings;
    }
  };
  await whileWaiting({ title: title(), words }, (signal) => unlessAborted(check(signal), signal));
}

/** Asks for an application to review, or to deploy those without errors. */
async function chooseInList(
  { connection }: ReadySession,
  applications: readonly Application[],
  { opened, isContinued }: { readonly opened: Application | undefined; readonly isContinued: boolean },
): ReturnType<typeof askChoice<ListItem>> {
  const items = applications.map(listItem);
  return askChoice<ListItem>({
    title: title(),
    placeholder: vscode.l10n.t('Deploy, or select an application to review'),
    items: [
      deployItem(applications, withoutIcons(connection.name)),
      ...(isContinued ? [{ label: vscode.l10n.t('Start Over'), startsOver: true as const }] : []),
      { label: vscode.l10n.t('Applications'), kind: vscode.QuickPickItemKind.Separator },
      ...items,
    ],
    active: items.find(({ application }) => application === opened),
  });
}

function deployItem(applications: readonly Application[], connection: string): ListItem {
  const ready = applications.filter(isReady).length;
  const [first] = applications;
  if (ready === 0 && first !== undefined) {
    return { label: vscode.l10n.t("$(circle-slash) Can't be deployed yet"), application: first };
  }
  const blocked = applications.filter((each) => !isReady(each)).map(({ plan }) => plan.draft.name);
  const label =
    ready === 1
      ? vscode.l10n.t('$(rocket) Deploy 1 application to {0}', connection)
      : vscode.l10n.t('$(rocket) Deploy {0} applications to {1}', ready, connection);
  if (blocked.length === 0) return { label };
  return { label, description: withoutIcons(vscode.l10n.t('not yet: {0}', blocked.join(', '))) };
}

/** The line of an application, with its worst finding unless that is mere information. */
function listItem(application: Application): ListItem {
  const { plan, lastFindings, findings } = application;
  const { draft } = plan;
  const label = withoutIcons(draft.name);
  // The review of an application may change its source; only a repository has a config file.
  const description = draft.source === 'repohost' ? withoutIcons(draft.configPath) : '';
  const [worst] = worstFirst([...lastFindings, ...findings]);
  if (worst === undefined || worst.severity === 'info') return { label, description, application };
  return { label: `$(${worst.severity}) ${label}`, description, detail: withoutIcons(worst.message), application };
}

function isReady({ findings }: Application): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/**
 * Creates one application after the other under one progress, and follows each as soon as it exists. A failure stays
 * with its application, for the list.
 * One message says at the end what was created, and what wasn't and why.
 */
async function createApplications(
  services: Services,
  session: ReadySession,
  applications: readonly Application[],
  existing: ExistingDeployments,
  isMoved: boolean,
): Promise<ReadonlySet<DeploymentPlan>> {
  const { workspaceMemory, clock, lateCreates } = services;
  const { name: connection } = session.connection;
  const created = new Set<DeploymentPlan>();
  const shown = withoutIcons(connection);
  const { length } = applications;
  const words = vscode.l10n.t('Creating {0} applications on {1}…', length, shown);
  await whileWaiting({ title: title(), words }, async (signal, say) => {
    for (const [index, application] of applications.entries()) {
      const { plan } = application;
      const { draft } = plan;
      const name = withoutIcons(draft.name);
      say(vscode.l10n.t('Creating {0} on {1}, {2} of {3}…', name, shown, index + 1, length));
      plan.isSent = true;
      const outcome = await sendDraft(services, plan, existing.lookUp(draft.name) === 'notFound', signal);
      if (outcome.kind === 'created') {
        await forgetDraft(workspaceMemory, draftPlace(draft));
        const { deployment } = outcome;
        await showCreated(services, { deployment, session, isMoved: isMoved && created.size === 0 });
        created.add(plan);
        continue;
      }
      application.lastFindings = outcome.findings;
      // Noted now, because the search for it may end while the others are created.
      application.mayExist = lateCreates.isOpen(lateKey(plan));
      if (hasInput(draft)) await keepDraft(workspaceMemory, draft, clock.now(), draftPlace(draft));
    }
  });
  const failures = applications.filter(({ plan }) => !created.has(plan));
  const namesCreated = [...created].map(({ draft }) => draft.name).join(', ');
  const sentences = [
    ...(created.size === 0 ? [] : [vscode.l10n.t('Created {0} on {1}.', namesCreated, connection)]),
    ...failureSentences(
      failures
        // A message of its own said so.
        .filter(({ plan }) => plan.foundLate !== plan.draft.name)
        .map(({ plan, lastFindings, mayExist = false }) => ({
          name: plan.draft.name,
          reason: lastFindings.map(({ message }) => message).join(' '),
          mayExist,
        })),
    ),
  ];
  // The list goes on while the message is shown.
  if (sentences.length > 0) void showMessage(failures.length === 0 ? 'information' : 'warning', sentences.join(' '));
  return created;
}
