// What a window shows, as plain facts with true times. Nothing else in the simulation reads the product's stores.
import type { Deployment } from '../../src/api/resources/deployments.ts';
import { isDeletion } from '../../src/api/schema/enums.ts';
import type { PauseReason } from '../../src/core/status/freshness.ts';
import { followLine, notificationWords } from '../../src/core/status/followWords.ts';
import { detailsText } from '../../src/core/status/detailsWords.ts';
import { deploymentWords } from '../../src/core/status/rowWords.ts';
import { badgeWords, statusBarWords, type StatusBarWords } from '../../src/core/status/statusBarWords.ts';
import { revisionStatusView, statusOf, type Phase } from '../../src/core/status/status.ts';
import { verdict, type Observation, type Verdict } from '../../src/core/status/verdict.ts';
import type { RevisionId } from '../../src/state/answers/answers.ts';
import { doubtOf } from '../../src/state/following/doubts.ts';
import { followFacts, followTimes, type ShownDeployment } from '../../src/state/following/shownDeployments.ts';
import type { Followed, Outcome } from '../../src/state/following/follower.ts';
import { refusalIn } from '../../src/state/following/poll.ts';
import { readableEntries } from '../../src/state/lists/pagedList.ts';
import { detailsOf, type DetailsSources } from '../../src/ui/documents/documentDetails.ts';
import type { DocumentResource } from '../../src/ui/documents/documentResources.ts';
import type { DocumentContent } from '../../src/ui/documents/openDocuments.ts';
import type { DocumentSubject } from '../../src/ui/window/documentPlace.ts';
import type { SimulatedClock } from './simulatedTime.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';

export { parseActivity } from '../../src/state/activity/activityLines.ts';
export type { PushOutcome } from '../../src/state/following/pushedBuilds.ts';

const second = 1_000;

/** A follow, with what the service said to this window. */
export interface ShownFollow extends RevisionId {
  /** Undefined while it goes on. */
  readonly outcome: Outcome | undefined;
  /** Undefined before the first answer. */
  readonly status: string | undefined;
  readonly phase: Phase;
  /** Since when it has the status, or since when it is followed. */
  readonly since: number;
  /** When the last answer was received. */
  readonly answeredAt: number | undefined;
  /** When this window began to follow it; undefined if nobody does. */
  readonly begunAt: number | undefined;
  /** When the newest record of its deployment was requested. */
  readonly recordAt: number | undefined;
  readonly failures: number;
  /** Why nothing is asked until the person does something. */
  readonly refusal: PauseReason | undefined;
  /** Whether only an earlier window had an answer. */
  readonly isAnsweredBefore: boolean;
  readonly isSeen: boolean;
  readonly isQuiet: boolean;
  /** The commit that it was promised to be built from. */
  readonly promised: string | undefined;
}

export function shownFollows(window: SimulatedWindow): readonly ShownFollow[] {
  return window.stores.shown.all.map((shown) => shownFollow(shown, window));
}

export function shownFollowOf(
  window: SimulatedWindow,
  connection: string,
  deploymentId: string,
): ShownFollow | undefined {
  const found = window.stores.shown.find(connection, deploymentId);
  return found && shownFollow(found, window);
}

function shownFollow(shown: ShownDeployment, { stores, clock, followedSince }: SimulatedWindow): ShownFollow {
  const { connection, deploymentId, revisionId, outcome, failures } = shown;
  const observed = stores.answers.observe(connection, deploymentId, revisionId);
  const { revision, revisionAt, since, deploymentAt, stored } = observed;
  const toTrue = (at: number | undefined): number | undefined => (at === undefined ? undefined : clock.toTrue(at));
  return {
    connection,
    deploymentId,
    revisionId,
    outcome,
    status: revision?.status,
    phase: revision === undefined ? 'working' : revisionStatusView(statusOf(revision)).phase,
    since: toTrue(since) ?? followedSince.get(revisionId) ?? -Infinity,
    answeredAt: toTrue(revisionAt),
    begunAt: followedSince.get(revisionId),
    recordAt: toTrue(deploymentAt),
    failures,
    refusal: refusalIn(shown.error),
    isAnsweredBefore: stored !== undefined,
    isSeen: shown.isSeen === true,
    isQuiet: shown.rests === true,
    promised: shown.promised,
  };
}

/** What is said of a follow. */
export interface FollowInWords {
  readonly follow: ShownFollow;
  readonly found: Verdict;
  readonly line: string;
  readonly tooltip: {
    readonly since: number | undefined;
    readonly checkedAt: number | undefined;
    readonly nextCheckAt: number | undefined;
    /** The latest revision as the record names it. */
    readonly latestId: string | undefined;
  };
}

export function followsInWords(window: SimulatedWindow): readonly FollowInWords[] {
  const { stores, clock } = window;
  const { all } = stores.shown;
  const toTrue = (wall: number | undefined): number | undefined =>
    wall === undefined ? undefined : clock.toTrue(clock.monotonic() + wall - clock.now());
  return stores.shown.facts.flatMap((facts, index): FollowInWords[] => {
    const followed = all[index];
    if (followed === undefined) return [];
    const { since, checkedAt, nextCheckAt } = followTimes(followed, stores);
    const latestId = stores.answers.record(followed.connection, followed.deploymentId)?.latest_revision_id;
    const tooltip = { since: toTrue(since), checkedAt: toTrue(checkedAt), nextCheckAt: toTrue(nextCheckAt), latestId };
    const follow = shownFollow(followed, window);
    return [{ follow, found: foundIn(facts.verdict, window), line: followLine(facts), tooltip }];
  });
}

function foundIn({ asOf, ...found }: Verdict, { clock }: SimulatedWindow): Verdict {
  return { ...found, asOf: asOf === undefined ? undefined : clock.toTrue(asOf) };
}

/** What a message says of the end of a follow. */
export interface ShownEnding extends ShownFollow {
  readonly found: Verdict;
  readonly message: string;
  readonly isGood: boolean;
}

export function shownEnding(followed: Followed, window: SimulatedWindow): ShownEnding {
  const facts = followFacts(followed, window.stores);
  const { message, severity } = notificationWords([{ facts, resumed: followed.resumed }]);
  const found = foundIn(facts.verdict, window);
  return { ...shownFollow(followed, window), found, message, isGood: severity === 'information' };
}

/** What the status bar would show if it were drawn now. */
export function shownBar(window: SimulatedWindow): StatusBarWords | undefined {
  return statusBarWords(window.stores.shown.facts, window.attention.focused);
}

/** What the icon of the views counts. */
export function shownBadge(window: SimulatedWindow): number {
  return badgeWords(window.stores.shown.facts)?.value ?? 0;
}

/** What is said of a revision in the list. */
export interface ShownRow {
  readonly surface: 'row' | 'revision row';
  readonly deploymentId: string;
  readonly revisionId: string | undefined;
  readonly found: Verdict;
  /** When the record was requested. */
  readonly recordAt: number | undefined;
  /** When the last answer about the revision was received. */
  readonly answeredAt: number | undefined;
}

/** The rows of the deployments that are meant, and of their revisions. */
export function shownRows(
  window: SimulatedWindow,
  isMeant: (deploymentId: string) => boolean = () => true,
): readonly ShownRow[] {
  const { deployments } = window.stores;
  return shownList(window).flatMap((deployment): ShownRow[] => {
    const { id, latest_revision_id: latestId } = deployment;
    if (!isMeant(id)) return [];
    const first = { ...deployments.observe(id, latestId), deployment };
    const others = readableEntries(deployments.revisionsOf(id).entries).map((each) => deployments.observe(id, each.id));
    return [shownRow('row', id, first, window), ...others.map((each) => shownRow('revision row', id, each, window))];
  });
}

function shownRow(
  surface: ShownRow['surface'],
  deploymentId: string,
  observed: Observation,
  window: SimulatedWindow,
): ShownRow {
  const { revisionId, revisionAt, deploymentAt } = observed;
  const { clock } = window;
  return {
    surface,
    deploymentId,
    revisionId,
    found: foundIn(verdict(observed), window),
    recordAt: deploymentAt === undefined ? undefined : clock.toTrue(deploymentAt),
    answeredAt: revisionAt === undefined ? undefined : clock.toTrue(revisionAt),
  };
}

/** The icon and the words of a deployment's row. */
export function rowWords(
  { deploymentId, revisionId = '' }: ShownRow,
  { stores, clock, present = '' }: SimulatedWindow,
): { readonly icon: string; readonly text: string } {
  const { deployments } = stores;
  const deployment = deployments.find(deploymentId);
  if (deployment === undefined) return { icon: '', text: '' };
  const doubt = (): string | undefined => doubtOf({ connection: present, deploymentId, revisionId }, stores);
  const observed = deployments.observe(deploymentId, revisionId);
  const { icon, first } = deploymentWords(deployment, observed, { now: clock.now(), latestFor: 5 * second, doubt });
  return { icon, text: first.join(' · ') };
}

/** The deployment, or one of its revisions, that a document shows. */
export interface ShownPlace {
  readonly connection: string;
  readonly deploymentId: string;
  /** Undefined for the document of a deployment. */
  readonly revisionId: string | undefined;
}

/** What a document says. */
export interface DrawnDocument {
  /** When the service said so last. */
  readonly asOf?: number;
  /** Its lines above the resource. */
  readonly lines: readonly string[];
  /** Whether it says that the service hasn't answered since. */
  readonly isDoubted: boolean;
  /** The resource; missing if it no longer exists or if the service never answered. */
  readonly resource?:
    | {
        readonly status: string | undefined;
        readonly latestId: string | undefined;
        readonly activeId: string | undefined;
        readonly cpu: number | undefined;
      }
    | undefined;
}

/** A writer of documents, whose texts are the facts as JSON. */
export function documentWriter(
  sources: DetailsSources & { readonly clock: SimulatedClock },
): (subject: DocumentSubject, content: DocumentContent) => string {
  return (subject, content) => {
    const { asOf, lines } = detailsOf(subject, content, sources);
    const { clock } = sources;
    const { resource } = content;
    const drawn: DrawnDocument = {
      ...(asOf === undefined ? {} : { asOf: clock.toTrue(clock.monotonic() + asOf - clock.now()) }),
      lines: lines.map(detailsText),
      isDoubted: content.error !== undefined,
      resource: resource && factsOfResource(resource),
    };
    return JSON.stringify(drawn);
  };
}

function factsOfResource(resource: DocumentResource): DrawnDocument['resource'] {
  const texts = new Map(Object.entries(resource).map(([name, value]) => [name, String(value ?? '')]));
  const textOf = (name: string): string | undefined => texts.get(name) || undefined;
  return {
    status: textOf('status'),
    latestId: textOf('latest_revision_id'),
    activeId: textOf('active_revision_id'),
    cpu: cpuOf(resource),
  };
}

/** How many cores a record asks for. */
export function cpuOf(record: object): number | undefined {
  const { source_config: config } = record as { source_config?: { resource_spec?: { cpu?: number } } };
  return config?.resource_spec?.cpu;
}

export function readDocument(text: string): DrawnDocument {
  return JSON.parse(text) as DrawnDocument;
}

/** The records of the list that can be read. */
export function shownList({ stores }: SimulatedWindow): readonly Deployment[] {
  return readableEntries(stores.deployments.state.entries);
}

/** The ids of the workspace's own deployments, as the window knows them. */
export function ownIds({ stores }: SimulatedWindow): readonly string[] {
  return [...(stores.workspaceDeployments.own ?? [])];
}

/** The id of the one that was chosen, or the only one. */
export function mainOwn({ stores }: SimulatedWindow): string | undefined {
  return stores.workspaceDeployments.main;
}

/** The ids of the workspace's own deployments that the window remembers. */
export function rememberedOwn({ stores }: SimulatedWindow): readonly string[] {
  return stores.ownDeployments.remembered;
}

/** What the next window of the workspace would learn of a follow. */
export function storedFollow(
  { memory }: SimulatedWindow,
  { revisionId, isQuiet }: ShownFollow,
): { readonly status: string | undefined } | undefined {
  const of = (slot: string): { readonly revisionId: string; readonly status?: string } | undefined =>
    ((memory.get(slot) ?? []) as readonly { revisionId: string; status?: string }[]).find(
      (each) => each.revisionId === revisionId,
    );
  const stored = isQuiet ? of('answers') : of('follows');
  return stored && { status: of('answers')?.status };
}

/** The listed deployments whose rows say that they are being deleted. */
export function shownLeaving(window: SimulatedWindow): readonly string[] {
  return shownList(window).flatMap(({ id, status }) => (isDeletion(status) ? [id] : []));
}
