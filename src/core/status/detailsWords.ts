import * as l10n from '@vscode/l10n';
import { hideValues } from '../../api/redaction/hideValues.ts';
import { safeText } from '../../api/redaction/redact.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { repositoryWebUrl } from '../git/remote.ts';
import { hasApplicationLog, hasBuildLog } from '../logs/availableLogs.ts';
import { applicationUrl, commitPage } from '../resources/webPages.ts';
import { formatMoment } from './duration.ts';
import { markOf, revisionTitle } from './rowWords.ts';
import { revisionStatusView } from './status.ts';
import { verdict, type Observation, type Verdict } from './verdict.ts';

type DetailsCommand =
  | 'showChangesSinceLive'
  | 'deployCurrentRepository'
  | 'showRevisionChanges'
  | 'showBuildLog'
  | 'showApplicationLog';

/** What a line of a details document leads to: a web page, a command, or the document of another resource. */
export type DetailsTarget =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'command'; readonly id: DetailsCommand; readonly revisionId?: string }
  | { readonly kind: 'deployment'; readonly title: string }
  | { readonly kind: 'revision'; readonly id: string; readonly title: string };

/** A line of a details document. Without a label, the value is a sentence. */
export interface DetailsLine {
  readonly label?: string;
  readonly value: string;
  /** Missing for text of the service, which leads nowhere. */
  readonly to?: DetailsTarget;
}

export interface DetailsFacts {
  /** The shown revision, or the latest one of the shown deployment. */
  readonly observed: Observation;
  /** When the answers behind the verdict came, in milliseconds since 1970. */
  readonly asOf?: number | undefined;
  /** How the live revision relates to the open branch. */
  readonly drift?: string | undefined;
  /** Where the shown revision, or the latest one, came from if it was uploaded from this machine. */
  readonly upload?: string | undefined;
  /** The URL of the service's own page of the deployment. */
  readonly page?: string | undefined;
  /** Whether the service has logs. */
  readonly hasLogs?: boolean;
}

/** Separates the paragraphs of a details document. */
const blank: DetailsLine = { value: '' };

/** The lines about a deployment: why it failed, its live and its latest revision, its pages, and what to do. */
export function deploymentDetails(facts: DetailsFacts): readonly DetailsLine[] {
  const { observed, drift } = facts;
  const { deployment, revisionId } = observed;
  const found = verdict(observed);
  const isCompared = drift !== undefined && found.serving !== 'nothing';
  const changes = actionLine(l10n.t('Show Changes Since Live'), 'showChangesSinceLive');
  const deploy = actionLine(l10n.t('Deploy Current Repository…'), 'deployCurrentRepository');
  return [
    ...reasonLine(found, observed),
    ...liveLine(found, observed),
    ...(found.kind === 'live' || revisionId === undefined
      ? []
      : [lineOf(l10n.t('Latest'), statusWords(found, observed), revisionTarget(revisionId, observed.revision))]),
    ...(isCompared ? [lineOf(l10n.t('Compared with HEAD'), drift)] : []),
    ...uploadLine(facts),
    ...checkedLine(facts),
    ...addressLine(l10n.t('Application'), deployment && applicationUrl(deployment)),
    ...addressLine(l10n.t('Repository'), repositoryWebUrl(deployment?.source_config?.repo_url ?? '')),
    ...actionLines(facts, [
      ...logLines(facts, deployment?.active_revision_id !== undefined),
      ...(isCompared ? [changes] : []),
      ...(drift === undefined ? [] : [deploy]),
    ]),
  ];
}

/** The lines about a revision: its status, why it failed, whether it is live, its deployment, and what to do. */
export function revisionDetails(facts: DetailsFacts): readonly DetailsLine[] {
  const { observed } = facts;
  const found = verdict(observed);
  const { deployment, revision } = observed;
  const changes = actionLine(l10n.t('Show Changes of This Revision'), 'showRevisionChanges', revision?.id);
  return [
    lineOf(l10n.t('Status'), statusWords(found, observed)),
    ...reasonLine(found, observed),
    ...liveLine(found, observed),
    ...checkedLine(facts),
    ...(deployment === undefined
      ? []
      : [lineOf(l10n.t('Deployment'), deployment.name, { kind: 'deployment', title: deployment.name })]),
    ...uploadLine(facts),
    ...addressLine(l10n.t('Commit'), revision && commitPage(deployment, revision)),
    ...actionLines(facts, [
      ...logLines(facts, hasApplicationLog(revision), revision?.id),
      ...(deployment === undefined || revision === undefined ? [] : [changes]),
    ]),
  ];
}

/** What to do, as links, and what the interface of the service doesn't offer, with the page that may. */
function actionLines({ page, hasLogs }: DetailsFacts, actions: readonly DetailsLine[]): readonly DetailsLine[] {
  const missing = l10n.t("The service's interface has no logs, and can't delete, roll back or change resources.");
  return [
    ...(actions.length === 0 ? [] : [blank, ...actions]),
    ...(hasLogs === true && page === undefined ? [] : [blank]),
    ...(hasLogs === true ? [] : [{ value: missing }]),
    ...addressLine(l10n.t('Service page'), page),
  ];
}

/** The logs of a deployment, or of one of its revisions. */
function logLines(
  { observed: { deployment, revision }, hasLogs }: DetailsFacts,
  isApplicationLogged: boolean,
  revisionId?: string,
): readonly DetailsLine[] {
  if (hasLogs !== true) return [];
  return [
    ...(hasBuildLog(deployment, revision) ? [actionLine(l10n.t('Show Build Log'), 'showBuildLog', revisionId)] : []),
    ...(isApplicationLogged ? [actionLine(l10n.t('Show Application Log'), 'showApplicationLog', revisionId)] : []),
  ];
}

function actionLine(value: string, id: DetailsCommand, revisionId?: string): DetailsLine {
  return { value, to: { kind: 'command', id, ...(revisionId === undefined ? {} : { revisionId }) } };
}

/** A line of a details document as text, which ends with the value. */
export function detailsText({ label, value }: DetailsLine): string {
  return label === undefined ? value : `${label}: ${value}`;
}

function liveLine({ serving }: Verdict, { deployment, active, revision }: Observation): readonly DetailsLine[] {
  const label = l10n.t('Live');
  const id = deployment?.active_revision_id;
  if (serving === 'nothing') return [lineOf(label, l10n.t('nothing yet'))];
  if (id === undefined) return [];
  const live = active ?? (serving === 'this' ? revision : undefined);
  return [lineOf(label, live === undefined ? id : sinceChange(revisionTitle(live), live), revisionTarget(id, live))];
}

function revisionTarget(id: string, revision: Revision | undefined): DetailsTarget {
  return { kind: 'revision', id, title: revision === undefined ? id : revisionTitle(revision) };
}

/** A revision with its status, and since when it has it. */
function statusWords(found: Verdict, { revision, revisionId = '' }: Observation): string {
  if (revision === undefined || found.status === undefined) return l10n.t('{0}, not known yet', revisionId);
  const { label } = revisionStatusView(found.status);
  const words = [revisionTitle(revision), label, markOf(found)].filter((word) => word !== undefined).join(', ');
  const since = revision.updated_at ?? revision.created_at;
  if (found.kind !== 'working' || since === undefined) return sinceChange(words, revision);
  return l10n.t('{0} since {1}', words, formatMoment(since));
}

/** The service tells when a record changed last, not when a revision went live. */
function sinceChange(words: string, { updated_at: updated, created_at: created }: Revision): string {
  const since = updated ?? created;
  return since === undefined ? words : l10n.t('{0}, since {1}', words, formatMoment(since));
}

function reasonLine({ kind }: Verdict, { revision }: Observation): readonly DetailsLine[] {
  if (kind !== 'failed') return [];
  return [lineOf(l10n.t('Reason'), revision?.status_message ?? l10n.t('The service gives no reason'))];
}

function checkedLine({ asOf }: DetailsFacts): readonly DetailsLine[] {
  return asOf === undefined ? [] : [lineOf(l10n.t('Last checked'), formatMoment(asOf))];
}

function uploadLine({ upload }: DetailsFacts): readonly DetailsLine[] {
  return upload === undefined ? [] : [lineOf(l10n.t('Upload'), upload)];
}

/** An address that may hold a secret is shown without it, and leads nowhere. */
function addressLine(label: string, url: string | undefined): readonly DetailsLine[] {
  if (url === undefined) return [];
  const line = lineOf(label, url);
  return [line.value === url ? { ...line, to: { kind: 'page', url } } : line];
}

function lineOf(label: string, words: string, to?: DetailsTarget): DetailsLine {
  const value = safeText(String(hideValues(words, () => '(hidden)')));
  return { label, value, ...(to === undefined ? {} : { to }) };
}
