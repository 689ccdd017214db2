import * as l10n from '@vscode/l10n';
import { safeText } from '../../api/redaction/redact.ts';
import { formatDuration, formatMoment } from './duration.ts';
import { revisionStatusView } from './status.ts';

/** A deployment that was started from this machine. */
export interface ActivityStart {
  readonly kind: 'created' | 'pushed';
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

export interface ActivityList {
  /** The newest first. */
  readonly entries: readonly ActivityEntry[];
  /** How many lines of the file couldn't be read. */
  readonly unreadable: number;
  /** Why the file can't be read. */
  readonly problem?: string;
}

/** The activity of this machine as a text: what was deployed, where, from which commit, and how it ended. */
export function activityText(
  { entries, unreadable, problem }: ActivityList,
  isFollowed: (entry: ActivityStart) => boolean,
): string {
  const heading = l10n.t('Deployments from this machine, newest first');
  const nothing =
    problem === undefined
      ? l10n.t('Nothing has been deployed from this machine yet.')
      : l10n.t("The stored activity couldn't be read. {0}", safeText(problem));
  const none = entries.length === 0 ? [nothing] : [];
  const torn = unreadable === 0 ? [] : [l10n.t('Unreadable lines in the stored activity: {0}', unreadable)];
  const blocks = entries.map((entry) => linesOf(entry, isFollowed(entry)).join('\n  '));
  return `${[heading, ...none, ...blocks, ...torn].join('\n\n')}\n`;
}

function linesOf(entry: ActivityEntry, isFollowed: boolean): readonly string[] {
  const { name, connection, kind, at, end } = entry;
  const moment = formatMoment(at);
  const took = end?.milliseconds;
  const facts = [
    end?.title ?? entry.title,
    kind === 'created' ? l10n.t('created {0}', moment) : l10n.t('pushed {0}', moment),
    took === undefined ? undefined : l10n.t('took {0}', formatDuration(took)),
  ].filter((fact) => fact !== undefined);
  const link = end?.link;
  const isLink = link !== undefined && URL.canParse(link) && /^https?:/i.test(link);
  const heading = l10n.t('{0} on {1}: {2}', name, connection, endWords(end, isFollowed));
  return [heading, facts.join(' · '), ...(isLink ? [link] : [])].map((line) => safeText(line));
}

function endWords(end: ActivityEnd | undefined, isFollowed: boolean): string {
  if (end === undefined) return isFollowed ? l10n.t('in progress') : l10n.t('not followed to its end');
  const { outcome, verdict, status } = end;
  if (outcome === 'gone') return l10n.t('no longer exists');
  if (status === undefined) return l10n.t('no answer when following stopped');
  const { label } = revisionStatusView(status);
  if (outcome === 'gaveUp') return l10n.t('still {0} when following stopped', label);
  if (verdict === 'live') return l10n.t('{0}, live', label);
  return verdict === 'notActive' || verdict === 'replaced' ? l10n.t('{0}, not active', label) : label;
}
