import * as vscode from 'vscode';
import type { RepositoryDraft } from '../../core/draft/draft.ts';
import { finding, type Finding } from '../../core/draft/findings.ts';
import { parseGitRemote } from '../../core/git/remote.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import {
  searchIntegrations,
  type IntegrationMatch,
  type IntegrationSearch,
} from '../../state/deploying/searchIntegrations.ts';
import type { Services } from '../services.ts';
import { commandRemedy, isCancelled, isDead, messageOf, remediesOf, type Remedy, UserError } from '../window/errors.ts';
import { askChoice, PromptClosedError, type ReviewPlace } from '../window/steps.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import { type DeploymentPlan, workingCopyOf } from './plan.ts';

/** A repository to find, with its local folder if it is open here. */
interface WantedRepository extends ReviewPlace {
  readonly remoteUrl: string;
  readonly root?: vscode.Uri | undefined;
  /** The account of its integration on another connection. */
  readonly account?: string | undefined;
  /** Searches again, from the error message. */
  readonly tryAgain?: Remedy;
  /** False if the user isn't asked which of several integrations to take. */
  readonly mayAsk?: boolean | undefined;
}

/** The integration that has a repository, with findings about failed listings. */
interface FoundIntegration extends IntegrationMatch {
  readonly findings: readonly Finding[];
}

/**
 * Finds the integration that has a repository.
 * If the local service doesn't know the folder yet, sends it the folder and searches again.
 * @throws {UserError} no integration has the repository
 * @throws the error of a failed search, wrapped in a UserError if `tryAgain` is set
 * @throws {vscode.CancellationError} the user canceled the search or the choice
 */
export async function requireIntegration(
  services: Services,
  session: ReadySession,
  wanted: WantedRepository,
): Promise<FoundIntegration> {
  const { title } = wanted;
  const words = vscode.l10n.t(
    'Looking for {0} in {1}…',
    withoutIcons(nameOf(wanted)),
    withoutIcons(session.connection.name),
  );
  const { matches, failures } = await whileWaiting({ title, words }, (signal) =>
    unlessAborted(search(services, session, wanted, signal), signal),
  ).catch((error: unknown) => {
    throw explained(error, wanted);
  });
  const match = await chooseMatch(wanted, matches);
  if (match !== undefined) {
    const findings = failures.map(({ integrationName, error }): Finding => {
      const message = vscode.l10n.t("Couldn't list all repositories of {0}: {1}", integrationName, messageOf(error));
      return finding('info', message);
    });
    return { ...match, findings };
  }
  // An integration that couldn't be searched may have the repository, so report its failure instead.
  const [failure] = failures;
  throw failure === undefined ? noIntegration(session.connection, wanted) : explained(failure.error, wanted);
}

/**
 * Finds the integration of a draft's repository, and keeps in the draft why there is none.
 * Without a repository, or if the user cancels, nothing is known.
 * @param options the account of the integration on another connection, which is preferred
 */
export async function findIntegration(
  services: Services,
  plan: DeploymentPlan,
  draft: RepositoryDraft,
  options: Pick<WantedRepository, 'account' | 'mayAsk'> = {},
): Promise<readonly Finding[]> {
  draft.integrationId = '';
  draft.integrationName = undefined;
  draft.integrationProblem = undefined;
  const { repositoryUrl: remoteUrl } = draft;
  if (remoteUrl === '') return [];
  const { title, session } = plan;
  const root = workingCopyOf(plan)?.root;
  try {
    const wanted = { title, review: plan, remoteUrl, root, ...options };
    const found = await requireIntegration(services, session, wanted);
    draft.repositoryUrl = found.repositoryUrl;
    draft.integrationId = found.integrationId;
    draft.integrationName = found.integrationName;
    draft.provenance.integrationId = { kind: 'integration' };
    takeDefaultBranch(draft, found.defaultBranch);
    return found.findings;
  } catch (error) {
    if (error instanceof PromptClosedError) throw error;
    if (!isCancelled(error)) draft.integrationProblem = messageOf(error);
    return [];
  }
}

/** Deploys the default branch of the repository if nothing else is chosen or checked out. */
export function takeDefaultBranch(draft: RepositoryDraft, name: string | undefined): void {
  if (draft.ref.name !== '' || name === undefined) return;
  draft.ref = { kind: 'branch', name };
  draft.provenance.ref = { kind: 'list' };
}

async function search(
  { localService }: Pick<Services, 'localService'>,
  session: ReadySession,
  { remoteUrl, root, account }: WantedRepository,
  signal: AbortSignal,
): Promise<IntegrationSearch> {
  const found = await searchIntegrations(await session.client(), remoteUrl, { signal }, account);
  if (found.matches.length > 0 || session.connection.kind !== 'local' || root === undefined) return found;
  // The local service knows only the open folders; the repository may be in another one.
  await localService.start([root.fsPath]);
  return searchIntegrations(await session.client(), remoteUrl, { signal });
}

async function chooseMatch(
  { title, review, mayAsk = true }: Pick<WantedRepository, 'title' | 'review' | 'mayAsk'>,
  matches: readonly IntegrationMatch[],
): Promise<IntegrationMatch | undefined> {
  const [first, second] = matches;
  if (second === undefined) return first;
  if (!mayAsk) throw new UserError(vscode.l10n.t('Several integrations have this repository. Choose one of them.'));
  const choice = await askChoice({
    title,
    review,
    placeholder: vscode.l10n.t('Several integrations have this repository. Select the one to build it'),
    items: matches.map((match) => ({
      match,
      label: withoutIcons(match.integrationName),
      description: withoutIcons(match.repositoryUrl),
    })),
  });
  if (choice === undefined) throw new vscode.CancellationError();
  return choice.match;
}

/** Adds the remedies to search again, and to use another service if this one doesn't answer. */
export function explained(error: unknown, { tryAgain }: Pick<WantedRepository, 'tryAgain'>): unknown {
  if (isCancelled(error) || tryAgain === undefined) return error;
  const other = isDead(error) ? [commandRemedy(vscode.l10n.t('Switch Connection'), 'switchConnection')] : [];
  return new UserError(messageOf(error), [...remediesOf(error), ...other, tryAgain], { cause: error });
}

/** The error for a repository that no integration has, with remedies. */
function noIntegration(connection: Connection, wanted: WantedRepository): UserError {
  const { remoteUrl, tryAgain } = wanted;
  const name = nameOf(wanted);
  const message =
    connection.kind === 'local'
      ? vscode.l10n.t(
          "The local service can't build {0}: if there are several remotes, it uses the one named origin. Rename the remote that you push to, then try again.",
          name,
        )
      : vscode.l10n.t(
          'No integration on "{0}" has access to {1}. Grant access on the code host, then try again.',
          connection.name,
          name,
        );
  return new UserError(message, [
    ...(tryAgain === undefined ? [] : [tryAgain]),
    { title: vscode.l10n.t('Copy Repository URL'), run: () => vscode.env.clipboard.writeText(remoteUrl) },
    commandRemedy(vscode.l10n.t('Switch Connection'), 'switchConnection'),
  ]);
}

/** The short name of a repository, such as `acme/agent`. */
function nameOf({ remoteUrl }: WantedRepository): string {
  const remote = parseGitRemote(remoteUrl);
  return remote === undefined ? remoteUrl : `${remote.owner}/${remote.name}`;
}
