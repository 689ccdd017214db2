import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { setAt } from '../../../core/draft/createRequest.ts';
import { findingsSince, removedSince, sameGuarded } from '../../../core/draft/begunDraft.ts';
import type { BegunDeployment, MadeRevision } from '../../../core/draft/begunDraft.ts';
import {
  compareWithFile,
  compareWithWish,
  wishOf,
  type DeploymentChange,
} from '../../../core/draft/deploymentChange.ts';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { firstNames } from '../../../core/text/text.ts';
import { missingCapability } from '../../../core/resources/capabilities.ts';
import type { SpecMap } from '../../../core/yaml/value.ts';
import type { AnswersChange } from '../../../state/answers/answers.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { ExistingDeployments } from '../../../state/deploying/existingDeployments.ts';
import { readRecord } from '../../deployments/sendChange.ts';
import { typedKey, type TypedSecrets } from '../../../state/deploying/typedSecrets.ts';
import type { Services } from '../../services.ts';
import { commandRemedy, isCancelled, messageOf, remediesOf, UserError, type Remedy } from '../../window/errors.ts';
import { tabsOf } from '../../window/tabs.ts';
import { checkPlan, type CopyReadings, type Discovery } from '../checkPlan.ts';
import { filePlace, FilePlans, keyMissing, sessionFor, type Described } from '../file/filePlan.ts';
import { fillSecrets } from '../file/fileSecrets.ts';
import { checkFolder, readFolderOnDisk, type CheckedFolder, type FolderReading } from '../folder/folderReading.ts';
import { suggestionOf, type DeploymentPlan, type HelpedFinding } from '../plan.ts';
import { MadeDeployments, type MadeDeployment } from './pageProgress.ts';

/** What a check finds out about a deployment of a file, besides what the text says. */
export interface CheckedDeployment {
  /** Made of the values without errors. Undefined if the source or the connection has an error or isn't found. */
  readonly plan?: DeploymentPlan;
  readonly discovery?: Discovery;
  /** What the check needs and doesn't have. */
  readonly problem?: {
    readonly message: string;
    readonly remedies: readonly Remedy[];
    readonly isOfConnection: boolean;
  };
  /** Whether the plan lacks what has an error, in the text or in what it names. */
  readonly isPartial?: boolean;
  /** Findings about how the plan was made. */
  readonly findings: readonly Finding[];
  /** The secrets whose values may be sent only after a question. */
  readonly held: readonly string[];
  /** What was found out about the names on the connection. */
  readonly existing: ExistingDeployments;
  /** The deployment that the service had under the name, or that is changed. */
  readonly found?: Deployment | undefined;
  /** The deployment of this name, if its service can give it a new revision, and what that would change. */
  readonly update?: { readonly target: Deployment; readonly change: DeploymentChange };
  /** The folder that is uploaded for it. */
  readonly folder?: CheckedFolder | undefined;
}

/** What a page knows of one deployment of its file. */
export interface KnownDeployment {
  readonly checked?: CheckedDeployment | undefined;
  /** What the service said when the deployment was refused, until its text changes. */
  readonly refusals?: readonly HelpedFinding[] | undefined;
}

/** A deployment to check. */
interface Checking extends Omit<Described, 'spec'> {
  /** The names of the file's other deployments on its connection. */
  readonly others: readonly string[];
}

/** What is kept while a page is open, so that neither git nor the service is asked twice. */
export class PageFacts {
  readonly #answers: Services['answers'];
  readonly plans: FilePlans;
  readonly existing = new Map<string, ExistingDeployments>();
  /** Whether connections have listeners, by their names. */
  readonly listeners = new Map<string, boolean>();
  /** The IDs of the listeners that were created from the page. */
  readonly madeListeners = new Set<string>();
  /** Readings of working copies. A new map replaces them when they are forgotten. */
  copies: CopyReadings = new Map();
  /** Readings of folders to upload, by their URIs, replaced like those of working copies. */
  folders = new Map<string, FolderReading>();
  readonly typed: TypedSecrets;
  readonly made: MadeDeployments;

  /**
   * @param tell tells the page that something became of a deployment that was made from it
   * @param keep keeps the statuses that were seen of it
   */
  constructor(services: Services, typed: TypedSecrets, tell: () => void, keep?: (made: MadeRevision) => unknown) {
    this.#answers = services.answers;
    this.plans = new FilePlans(services);
    this.typed = typed;
    this.made = new MadeDeployments(services, tell, keep);
  }

  /** Lets the next check ask git and the services again. */
  forget(): void {
    for (const each of this.existing.values()) each.forget();
    this.listeners.clear();
    this.plans.forget();
    this.forgetCopies();
  }

  /** Lets the next check read repositories and folders again, which a saved file may belong to. */
  forgetCopies(): void {
    this.plans.forgetRepositories();
    this.copies = new Map();
    this.folders = new Map();
  }

  /**
   * Lets the next check ask a service again, unless a check has just done that.
   * @returns whether one of these has another revision by now than at its check
   */
  forgetOutdated(known: readonly KnownDeployment[], { connection, deploymentIds }: AnswersChange): boolean {
    const existing = this.existing.get(connection);
    let isOutdated = false;
    for (const { checked } of known) {
      const { id = '', latest_revision_id: revisionId } = checked?.found ?? {};
      const now = this.#answers.record(connection, id)?.latest_revision_id;
      const isMeant = checked?.plan?.session.connection.name === connection && deploymentIds.has(id);
      if (!isMeant || now === revisionId) continue;
      isOutdated = true;
      const asked = existing?.rows.findLast((row) => row.id === id);
      if (asked?.latest_revision_id !== now) existing?.forget();
    }
    return isOutdated;
  }
}

/**
 * Makes the plan of a deployment and checks it. Never throws. Asks the user only which of several remotes counts, unless
 * the title is empty.
 * @param before the plan of the last check, which knows what was sent
 */
export async function checkFileDeployment(
  services: Services,
  facts: PageFacts,
  described: Checking,
  before: DeploymentPlan | undefined,
  signal: AbortSignal,
): Promise<CheckedDeployment> {
  const nothing = { findings: [], held: [], existing: new ExistingDeployments() };
  const { readable: spec } = described.deployment;
  if (spec === undefined) return nothing;
  let session: ReadySession | undefined;
  try {
    const window = await services.connections.current();
    if (window.kind === 'none') throw noConnection();
    if (window.kind === 'keyMissing') throw keyMissing(window.connection.name);
    session = await sessionFor(services, window, spec);
    return await checkOn(session, services, facts, { ...described, spec }, before, signal);
  } catch (error) {
    if (signal.aborted) return nothing;
    // Without any connection, buttons help, and the field has nothing to correct.
    const isOfConnection = session === undefined && described.deployment.connection !== '' && !isCancelled(error);
    const message = isCancelled(error) ? vscode.l10n.t('The check was cancelled.') : messageOf(error);
    return {
      ...nothing,
      problem: { message, remedies: remediesOf(error), isOfConnection },
    };
  }
}

function noConnection(): UserError {
  return new UserError(vscode.l10n.t('This workspace has no connection yet.'), [
    commandRemedy(vscode.l10n.t('Use Local Service'), 'startLocalService'),
    commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
  ]);
}

async function checkOn(
  session: ReadySession,
  services: Services,
  facts: PageFacts,
  described: Checking & Described,
  before: DeploymentPlan | undefined,
  signal: AbortSignal,
): Promise<CheckedDeployment> {
  const { deployment, begun, others } = described;
  const { plans, copies, listeners, typed, made } = facts;
  // A plan of its own: an older check may still be working on the last one.
  const { plan, findings: named } = await plans.planOf(session, described);
  const { listener, provenance } = plan.draft;
  const isMade = provenance.listener?.kind === 'user' && facts.madeListeners.has(listener?.id ?? '');
  if (isMade) provenance.listener = { kind: 'made' };
  const isSame = before?.session.connection.name === session.connection.name && before.draft.name === plan.draft.name;
  if (isSame && before.foundLate !== undefined) plan.foundLate = before.foundLate;
  const findings = [...(await plans.fillIntegration(plan, signal)), ...named];
  const placed = { ...described, file: filePlace(described, plan.repository) };
  const taken = await fillSecrets(services, plan, placed, false);
  const typedOf = (name: string) => typed.get(typedKey(deployment.name, session.connection.name, name));
  plan.draft.secrets = plan.draft.secrets.map((secret) => {
    const value = typedOf(secret.name);
    return value === undefined || value === secret.value ? secret : { name: secret.name, value };
  });
  const held = taken.held.filter((name) => typedOf(name) === undefined);
  const existing = facts.existing.get(session.connection.name) ?? new ExistingDeployments();
  facts.existing.set(session.connection.name, existing);
  const key = typedKey(deployment.name, session.connection.name, '');
  const sent = made.get(key);
  const isPartial = deployment.spec === undefined || named.some(({ severity }) => severity === 'error');
  const isBegun = begun !== undefined && begun.isSent !== true && begun.changes === undefined && sent === undefined;
  const suggestedName = isBegun && !isPartial ? suggestionOf(plan.draft) : undefined;
  const asking = existing.ask(services, session, suggestedName ?? plan.draft.name, { signal });
  const failure = await asking.catch((error: unknown) => error);
  const row = existing.named(plan.draft.name);
  // Its record may be newer than the lookup's answer.
  const namesake = row && (services.answers.record(session.connection.name, row.id) ?? row);
  const target = await targetOf(services, plan, namesake, sent ? undefined : begun, signal);
  const since = begun === undefined ? [] : findingsSince(begun, deployment.content ?? {});
  const folder = await folderOf(services, facts, described, plan, signal);
  const told = [...since, ...findings, ...taken.findings, ...(folder?.findings ?? [])];
  const known = { plan, isPartial, findings: told, held, existing, found: target ?? namesake, folder };
  // Without a tab, nobody sees findings: only what the service has otherwise is marked.
  if (described.title === '' && tabsOf(described.file).length === 0) return known;
  const wasSent = begun?.sentAs === key && sent === undefined;
  const start = {
    existing,
    failure,
    suggestedName,
    others,
    copies,
    listeners,
    told,
    held,
    target,
    wasSent,
    folder,
    signal,
  };
  if (target === undefined) return { ...known, discovery: await checkPlan(services, plan, start) };
  const wish = wishOf(plan.draft, target, changedSince(begun, sent, deployment.content ?? {}));
  if (folder !== undefined) setAt(wish, draftFields.tarballPath.path, vscode.l10n.t('the folder as it is now'));
  const change = compareWithWish(target, wish);
  // What stays on the service isn't missing here.
  const checkedPlan = wish.secrets === undefined ? { ...plan, draft: { ...plan.draft, secrets: [] } } : plan;
  const discovery = await checkPlan(services, checkedPlan, start);
  if (wish.secrets === undefined && held.length > 0) told.push(unconfirmed(held));
  // What has errors isn't compared, because it would seem to be removed.
  if (isPartial) return { ...known, discovery };
  return { ...known, discovery, findings: [...told, ...change.findings], update: { target, change } };
}

/** Says that values which the file names wait for the user, while those of the service stay. */
function unconfirmed(names: readonly string[]): Finding {
  const message = vscode.l10n.t(
    'The values that the file names for {0} are sent only after you confirm that. Until then, those on the service stay.',
    firstNames(names),
  );
  return { ...finding('warning', message, 'secrets'), remedy: 'confirm' };
}

/** The fields that are still as they were begun or sent, which stay as the service has them, and what was removed. */
function changedSince(begun: BegunDeployment | undefined, sent: MadeDeployment | undefined, content: SpecMap) {
  const texts = [begun, sent].flatMap((each) => each?.text ?? []);
  const kept = begun === undefined ? [] : sameGuarded((sent ?? begun).text, content);
  return { kept, ...removedSince(texts, content) };
}

/** The folder that a draft uploads, which is read once until readings are forgotten. */
async function folderOf(
  { capabilities }: Services,
  { folders }: PageFacts,
  { begun, spec }: Described,
  { title, draft, session: { connection } }: DeploymentPlan,
  signal: AbortSignal,
): Promise<CheckedFolder | undefined> {
  const uri = begun?.folder;
  if (uri === undefined) return undefined;
  const reading = folders.get(uri) ?? (await readFolderOnDisk(vscode.Uri.parse(uri), title, signal));
  if (!signal.aborted) folders.set(uri, reading);
  const origins = Object.values(spec.secrets ?? {});
  const envFiles = origins.flatMap((origin) => (typeof origin === 'object' ? [origin['env-file']] : []));
  const checked = await checkFolder(reading, draft, envFiles);
  if (capabilities.has(connection, 'upload')) return checked;
  const refused = finding('error', missingCapability('upload', connection.name));
  return { ...checked, findings: [refused, ...checked.findings] };
}

/**
 * The deployment that gets a new revision: the one that a draft changes, or that has the name in a file or was made from
 * the page, if its service can do that.
 * @param namesake the deployment that has the name
 * @param begun how a draft was begun that nothing was made from
 */
async function targetOf(
  services: Services,
  { draft: { name }, session }: DeploymentPlan,
  namesake: Deployment | undefined,
  begun: BegunDeployment | undefined,
  signal: AbortSignal,
): Promise<Deployment | undefined> {
  if (begun?.changes !== undefined) {
    const { changes: id } = begun;
    if (namesake?.id === id) return namesake;
    return readRecord(services, session, { id, name }, await session.client(), signal);
  }
  if (name === '' || begun !== undefined || !services.capabilities.has(session.connection, 'update')) return undefined;
  return namesake;
}

/** The labels of what a deployment has otherwise than its file. Undefined if either isn't wholly known. */
export function differencesOf(
  checked: CheckedDeployment,
): { readonly deployment: Deployment; readonly labels: readonly string[] } | undefined {
  const { plan, isPartial, found: deployment } = checked;
  if (plan === undefined || isPartial === true || deployment === undefined) return undefined;
  const { differing, onlyOnService } = compareWithFile(deployment, plan.draft);
  return { deployment, labels: [...differing, ...onlyOnService].map(({ label }) => label) };
}

/** What is known of a deployment besides the mistakes in its text. */
export function findingsOf(
  { checked, refusals = [] }: KnownDeployment,
  { findings: said }: FileDeployment,
): readonly HelpedFinding[] {
  if (checked === undefined) return refusals;
  const { findings, discovery, problem } = checked;
  const told = new Set(said.map(({ message }) => message));
  const wrong = new Set(said.flatMap(({ severity, path: [key] }) => (severity === 'error' ? key : [])));
  const found: readonly HelpedFinding[] = [
    ...(problem === undefined ? [] : [{ ...problem, severity: 'error' as const }]),
    ...findings,
    ...(discovery?.findings ?? []),
  ].filter(
    ({ field, message }) =>
      !told.has(message) &&
      // What has errors isn't in the plan.
      !(field !== undefined && wrong.has(draftFields[field].key)) &&
      // The check may fail for the same reason as the request.
      !refusals.some((refusal) => message.includes(refusal.message)),
  );
  return [...refusals, ...found];
}
