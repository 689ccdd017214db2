import * as vscode from 'vscode';
import { shortCommit } from '../../core/git/drift.ts';
import { formatInstant } from '../../core/status/duration.ts';
import { followState } from '../../core/status/followWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { usualWords } from '../../core/status/usualDuration.ts';
import { shortened } from '../../core/text/text.ts';
import { followTimes } from '../../state/following/followTimes.ts';
import { followFacts, followedRecord, type Followed } from '../../state/following/follower.ts';
import type { Stores } from '../stores.ts';
import { asMarkdown, type Line } from '../window/rowLook.ts';
import { followActions, type FollowLink } from './followActions.ts';

export type FollowSources = Pick<Stores, 'follower' | 'deployments' | 'activity' | 'poller' | 'clock'>;

/** More would not fit on the screen; the list has them all. */
const mostTables = 4;

/** The tooltip of the status bar entry: a table and links for each followed deployment. */
export function followTooltip(sources: FollowSources): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: ['deploymentManager.showFollowed'] };
  const { followed } = sources.follower;
  for (const each of followed.slice(0, mostTables)) tooltip.appendMarkdown(tableOf(each, sources));
  const others = followed.length - mostTables;
  if (others > 0) tooltip.appendMarkdown(vscode.l10n.t('{0} more in the list', others));
  return tooltip;
}

function tableOf(followed: Followed, sources: FollowSources): string {
  const { name, connection } = followFacts(followed, sources.deployments, sources.clock.monotonic());
  const rows = followLines(followed, sources).flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [`| ${cell(label)} | ${cell(text)} |`],
  );
  const links = followActions(followed, sources).map(({ id, title }) => {
    const link: FollowLink = { connection: followed.connection, deploymentId: followed.deploymentId, action: id };
    const query = encodeURIComponent(JSON.stringify([link]));
    return `[${title}](command:deploymentManager.showFollowed?${query})`;
  });
  return [`| ${cell(name)} | ${cell(connection)} |`, '| :-- | :-- |', ...rows, '', links.join(' · '), '', ''].join(
    '\n',
  );
}

/** Times are absolute, because a tooltip isn't redrawn while it is open. */
function followLines(followed: Followed, sources: FollowSources): readonly Line[] {
  const { deployments, activity, clock } = sources;
  const now = clock.now();
  const instant = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : formatInstant(at, now);
  const facts = followFacts(followed, deployments, clock.monotonic());
  const { since, checkedAt, nextCheckAt } = followTimes(followed, sources);
  const { active_revision_id: activeId, latest_revision_id: latestId } = followedRecord(followed, deployments) ?? {};
  const titleOf = (id: string | undefined): string | undefined => {
    const revision = id === followed.revisionId ? followed.revision : deployments.revision(id ?? '');
    return revision === undefined ? id : revisionTitle(revision);
  };
  const source = followed.revision?.source_revision_config;
  const usual = facts.verdict.kind === 'working' ? activity.usual(followed) : undefined;
  return [
    [vscode.l10n.t('Status'), followState(facts).words],
    [vscode.l10n.t('Duration'), usual === undefined ? undefined : usualWords(usual)],
    [vscode.l10n.t('Reason'), facts.verdict.kind === 'failed' ? facts.reason : undefined],
    [vscode.l10n.t('Active revision'), titleOf(activeId)],
    [vscode.l10n.t('Latest revision'), titleOf(latestId)],
    [vscode.l10n.t('Branch or ref'), source?.repo_ref],
    [vscode.l10n.t('Commit'), source?.repo_commit_sha && shortCommit(source.repo_commit_sha)],
    [vscode.l10n.t('Since'), instant(since)],
    [vscode.l10n.t('Last checked'), instant(checkedAt)],
    [vscode.l10n.t('Next check'), instant(nextCheckAt)],
  ];
}

/** In characters. */
const longestCell = 200;

/** A text of the service in a table, as plain text: it can't become markup, a link or another column. */
function cell(text: string): string {
  const line = shortened(text, longestCell).replaceAll(/\s+/g, ' ');
  return asMarkdown(line).replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
