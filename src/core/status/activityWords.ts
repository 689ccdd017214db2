import * as l10n from '@vscode/l10n';
import { safeText } from '../../api/redaction/redact.ts';
import { formatDuration, formatMoment } from './duration.ts';
import { gaveUpWords } from './followWords.ts';
import { revisionStatusView } from './status.ts';

/** How a deployment may be started. */
export const ACTIVITY_STARTS = ['created', 'changed', 'pushed', 'uploaded', 'redeployed', 'rolledBack'] as const;

/** Changes that make no revision. */
export const ACTIVITY_CHANGES = [
  'stopped',
  'deleted',
  'listenerCreated',
  'listenerChanged',
  'listenerDeleted',
  'providerChanged',
] as const;

/** A deployment that was started from this machine. */
export interface ActivityStart {
  readonly kind: (typeof ACTIVITY_STARTS)[number];
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly at: number;
  readonly connection: string;
  readonly deploymentId: string;
  readonly revisionId: string;
  readonly name: string;
  /** The branch and commit, or the image. */
  readonly title: string | undefined;
}

export interface ActivityEnd {
  readonly at: number;
  readonly deploymentId: string;
  readonly revisionId: string;
  /** How the follow ended, the kind of the verdict, and the status as the service names it. */
  readonly outcome: string;
  readonly verdict: string;
  readonly status: string | undefined;
  readonly title: string | undefined;
  /** From the creation of the revision to its last change, by the clock of the service. */
  readonly milliseconds: number | undefined;
  readonly link: string | undefined;
}

export interface ActivityEntry extends ActivityStart {
  readonly end: ActivityEnd | undefined;
}

/** Something else that was changed from this machine. */
export interface ActivityChange {
  readonly kind: (typeof ACTIVITY_CHANGES)[number];
  /** In milliseconds since 1970, by the clock of this machine. */
  readonly at: number;
  readonly connection: string;
  readonly name: string;
  readonly title: string | undefined;
}

export interface ActivityList {
  /** The newest first. */
  readonly entries: readonly ActivityEntry[];
  readonly changes: readonly ActivityChange[];
  /** How many lines of the file couldn't be read. */
  readonly unreadable: number;
  /** Why the file can't be read. */
  readonly problem?: string;
}

/** The activity of this machine as a text: what was deployed or changed, where, from which commit, and how it ended. */
export function activityText(
  { entries, changes, unreadable, problem }: ActivityList,
  isFollowed: (entry: ActivityStart) => boolean,
): string {
  const heading = l10n.t('Deployments and other changes from this machine, newest first');
  const nothing =
    problem === undefined
      ? l10n.t('Nothing has been deployed from this machine yet.')
      : l10n.t("The stored activity couldn't be read. {0}", safeText(problem));
  const none = entries.length === 0 && changes.length === 0 ? [nothing] : [];
  const torn = unreadable === 0 ? [] : [l10n.t('Unreadable lines in the stored activity: {0}', unreadable)];
  const blocks = [
    ...entries.map((entry) => ({ at: entry.at, lines: linesOf(entry, isFollowed(entry)) })),
    ...changes.map((change) => ({ at: change.at, lines: changeLines(change) })),
  ]
    .toSorted((one, other) => other.at - one.at)
    .map(({ lines }) => lines.join('\n  '));
  return `${[heading, ...none, ...blocks, ...torn].join('\n\n')}\n`;
}

function linesOf(entry: ActivityEntry, isFollowed: boolean): readonly string[] {
  const { name, connection, kind, at, end } = entry;
  const moment = formatMoment(at);
  const took = end?.milliseconds;
  const facts = [
    end?.title ?? entry.title,
    startWords[kind](moment),
    took === undefined ? undefined : l10n.t('took {0}', formatDuration(took)),
  ].filter((fact) => fact !== undefined);
  const link = end?.link;
  const isLink = link !== undefined && URL.canParse(link) && /^https?:/i.test(link);
  const heading = l10n.t('{0} on {1}: {2}', name, connection, endWords(end, isFollowed));
  return [heading, facts.join(' · '), ...(isLink ? [link] : [])].map((line) => safeText(line));
}

const startWords = {
  created: (moment) => l10n.t('created {0}', moment),
  changed: (moment) => l10n.t('changed {0}', moment),
  pushed: (moment) => l10n.t('pushed {0}', moment),
  uploaded: (moment) => l10n.t('uploaded {0}', moment),
  redeployed: (moment) => l10n.t('deployed again {0}', moment),
  rolledBack: (moment) => l10n.t('rolled back {0}', moment),
} satisfies Record<ActivityStart['kind'], (moment: string) => string>;

function changeLines({ kind, at, connection, name, title }: ActivityChange): readonly string[] {
  const heading = l10n.t('{0} on {1}: {2}', name, connection, changeWords[kind]());
  const facts = [title, formatMoment(at)].filter((fact) => fact !== undefined);
  return [heading, facts.join(' · ')].map((line) => safeText(line));
}

const changeWords = {
  stopped: () => l10n.t('build stopped'),
  deleted: () => l10n.t('deleted'),
  listenerCreated: () => l10n.t('listener created'),
  listenerChanged: () => l10n.t('listener changed'),
  listenerDeleted: () => l10n.t('listener deleted'),
  providerChanged: () => l10n.t('OAuth provider changed'),
} satisfies Record<ActivityChange['kind'], () => string>;

function endWords(end: ActivityEnd | undefined, isFollowed: boolean): string {
  if (end === undefined) return isFollowed ? l10n.t('in progress') : l10n.t('not followed to its end');
  const { outcome, verdict, status } = end;
  if (outcome === 'gone') return l10n.t('no longer exists');
  if (status === undefined || outcome === 'gaveUp') return gaveUpWords(status);
  const { label } = revisionStatusView(status);
  if (verdict === 'live') return l10n.t('{0}, live', label);
  return verdict === 'notActive' || verdict === 'replaced' ? l10n.t('{0}, not active', label) : label;
}
