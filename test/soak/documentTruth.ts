import { revisionStatusView } from '../../src/core/status/status.ts';
import type { OpenedDocument } from './editor.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween, type DeploymentTruth } from './serviceModel.ts';
import { cpuOf, followsInWords, shownList, shownRows } from './shown.ts';
import type { SimulatedWindow } from './simulatedWindow.ts';

/** What the other surfaces of a window say of a deployment and its revisions. */
interface Surfaces {
  readonly statuses: ReadonlyMap<string, { readonly status: string | undefined; readonly at: number }>;
  /** The latest revisions as the row and the follow name them. */
  readonly latestIds: readonly (string | undefined)[];
  /** The cores that the list has for it. */
  readonly cpu: number | undefined;
}

/** Compares the visible documents with what the service said, and with the other surfaces of their window. */
export function checkDocuments(window: SimulatedWindow, now: number, tell: Tell): void {
  for (const opened of window.editor.visible) {
    const { connection, deploymentId } = opened.place;
    const truth = window.serviceOf(connection)?.get(deploymentId);
    if (truth === undefined) continue;
    checkSaid(opened, truth, window, now, tell);
    if (connection === window.present) checkNewest(opened, surfacesOf(window, deploymentId), truth, tell);
  }
}

/** Nothing is shown that the service never said. */
function checkSaid(
  { place, drawn: { resource, asOf, lines } }: OpenedDocument,
  { revisions, latest, active, cpus, exists }: DeploymentTruth,
  window: SimulatedWindow,
  now: number,
  tell: Tell,
): void {
  const { deploymentId, revisionId } = place;
  const name = `the document of ${revisionId ?? deploymentId}`;
  if (asOf !== undefined && asOf > now + 1 && !window.hasWrongTime) tell(`${name} is as of the future`);
  if (resource === undefined) {
    if (asOf !== undefined && !exists.some(({ value }) => !value)) tell(`${name} says that it is gone`);
    return;
  }
  if (revisionId === undefined) {
    const { latestId, activeId, cpu } = resource;
    if (!latest.some(({ value }) => value === latestId)) tell(`${name} names ${latestId} as the latest revision`);
    if (!active.some(({ value }) => value === activeId)) tell(`${name} names ${activeId} as the live revision`);
    if (!cpus.some(({ value }) => value === cpu)) tell(`${name} says ${cpu} cores`);
    return;
  }
  const statuses = revisions.find(({ id }) => id === revisionId)?.statuses ?? [];
  const at = window.hasWrongTime ? undefined : asOf;
  const call = at === undefined ? 0 : window.clients.longestCallAt(at) + 1;
  // A verdict may be as of the record, which was requested after the revision.
  const said = at === undefined ? statuses.map(({ value }) => value) : valuesBetween(statuses, at - call, at + call);
  if (!said.includes(resource.status ?? '')) tell(`${name} says ${resource.status}, but it was ${said.join()}`);
  const line = lines.find((each) => each.startsWith('Status: '));
  if (line?.includes(labelOf(resource.status)) !== true) tell(`${name} says "${line}" above ${resource.status}`);
}

/** Nothing is shown that is older than what another surface shows. */
function checkNewest(
  { place, drawn }: OpenedDocument,
  { statuses, latestIds, cpu }: Surfaces,
  { revisions }: DeploymentTruth,
  tell: Tell,
): void {
  const { deploymentId, revisionId } = place;
  const { resource, lines, asOf = 0 } = drawn;
  const name = `the document of ${revisionId ?? deploymentId}`;
  if (resource === undefined) return;
  const newest = statuses.get(revisionId ?? resource.latestId ?? '');
  const isNewer = newest?.status !== undefined && newest.at >= asOf;
  if (revisionId !== undefined) {
    if (isNewer && newest.status !== resource.status) {
      tell(`${name} says ${resource.status}, and another surface ${newest.status}`);
    }
    return;
  }
  const ageOf = (id: string | undefined): number => revisions.findIndex((each) => each.id === id);
  const isOlder = latestIds.some((id) => id !== undefined && ageOf(id) < ageOf(resource.latestId));
  if (isOlder) tell(`${name} has ${resource.latestId} as the latest revision, and another surface ${latestIds.join()}`);
  if (cpu !== undefined && (resource.cpu ?? 0) < cpu) tell(`${name} says ${resource.cpu} cores, and the list ${cpu}`);
  if (!isNewer) return;
  const line = lines.find((each) => each.startsWith('Latest: '));
  const words = labelOf(newest.status);
  if (line !== undefined && !line.includes(words)) tell(`${name} says "${line}", and another surface ${words}`);
  if (line === undefined && newest.status !== 'DEPLOYED') tell(`${name} says nothing of the latest, which is ${words}`);
}

function surfacesOf(window: SimulatedWindow, deploymentId: string): Surfaces {
  const statuses = new Map<string, { readonly status: string | undefined; readonly at: number }>();
  const rows = shownRows(window, (id) => id === deploymentId);
  for (const { revisionId = '', found, answeredAt } of rows) {
    // A document is made of the same answers.
    if (answeredAt !== undefined) statuses.set(revisionId, { status: found.status, at: Infinity });
  }
  const latestIds = rows.filter(({ surface }) => surface === 'row').map(({ revisionId }) => revisionId);
  const listed = shownList(window).find(({ id }) => id === deploymentId);
  const cpu = listed && cpuOf(listed);
  const said = followsInWords(window).find(
    ({ follow }) => follow.deploymentId === deploymentId && follow.connection === window.present,
  );
  if (said === undefined) return { statuses, latestIds, cpu };
  const { revisionId, status, answeredAt = 0 } = said.follow;
  if (answeredAt > (statuses.get(revisionId)?.at ?? 0)) {
    statuses.set(revisionId, { status, at: answeredAt });
  }
  return { statuses, latestIds: [...latestIds, said.tooltip.latestId], cpu };
}

function labelOf(status: string | undefined): string {
  return revisionStatusView(status ?? 'UNKNOWN').label;
}
