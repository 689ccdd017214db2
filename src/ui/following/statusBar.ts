import * as vscode from 'vscode';
import { shortCommit } from '../../core/git/drift.ts';
import { formatInstant, usualWords } from '../../core/status/duration.ts';
import { followState } from '../../core/status/followWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { statusBarWords } from '../../core/status/statusBarWords.ts';
import { spokenRow, withoutIcons, shortened } from '../../core/text/text.ts';
import type { Disposable } from '../../state/emitter.ts';
import { followFacts, followTimes, type ShownDeployment } from '../../state/following/shownDeployments.ts';
import type { Services } from '../services.ts';
import { fullId, commandLink } from '../window/commandIds.ts';
import { asMarkdown, type Line } from '../window/rowLook.ts';
import { followActions, type FollowLink } from './followActions.ts';

/** Draws the status bar entry for all follows, hidden if there are none. */
export function drawStatusBar(item: vscode.StatusBarItem, services: Services): vscode.Disposable {
  const { shown, localService, clock } = services;
  item.name = vscode.l10n.t('Followed Deployments');
  item.command = fullId('showFollowed');
  let drawn = '';
  let timer: Disposable | undefined;
  const draw = (): void => {
    timer?.dispose();
    const words = statusBarWords(shown.facts, vscode.window.state.focused);
    timer = words?.lasts === undefined ? undefined : clock.schedule(draw, words.lasts);
    if (words === undefined) {
      drawn = '';
      item.hide();
      return;
    }
    const tooltip = followTooltip(services);
    const text = `$(${words.icon}) ${withoutIcons(words.text)}`;
    // Writing the same text again would restart the spinner.
    const next = JSON.stringify([text, words.spoken, words.isFailure, tooltip.value]);
    if (drawn === next) return;
    drawn = next;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: spokenRow(words.spoken, ''), role: 'button' };
    item.backgroundColor = words.isFailure ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  draw();
  return vscode.Disposable.from(
    shown.onDidChange(draw),
    localService.onDidChange(draw),
    vscode.window.onDidChangeWindowState(draw),
    { dispose: () => timer?.dispose() },
  );
}

/** More would not fit on the screen; the list has them all. */
const mostTables = 4;

/** The tooltip of the status bar entry: a table and links for each followed deployment. */
function followTooltip(services: Services): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: [fullId('showFollowed')] };
  const { all: followed } = services.shown;
  for (const each of followed.slice(0, mostTables)) tooltip.appendMarkdown(tableOf(each, services));
  const others = followed.length - mostTables;
  if (others > 0) tooltip.appendMarkdown(vscode.l10n.t('{0} more in the list', others));
  return tooltip;
}

function tableOf(followed: ShownDeployment, services: Services): string {
  const { name, connection } = followFacts(followed, services);
  const rows = followLines(followed, services).flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [`| ${cell(label)} | ${cell(text)} |`],
  );
  const links = followActions(followed, services).map(({ id, title }) => {
    const link: FollowLink = { connection: followed.connection, deploymentId: followed.deploymentId, action: id };
    return `[${title}](${commandLink('showFollowed', link)})`;
  });
  return [`| ${cell(name)} | ${cell(connection)} |`, '| :-- | :-- |', ...rows, '', links.join(' · '), '', ''].join(
    '\n',
  );
}

/** Times are absolute, because a tooltip isn't redrawn while it is open. */
function followLines(followed: ShownDeployment, services: Services): readonly Line[] {
  const { answers, activity, clock } = services;
  const now = clock.now();
  const instant = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : formatInstant(at, now);
  const facts = followFacts(followed, services);
  const { since, checkedAt, nextCheckAt } = followTimes(followed, services);
  const { connection, deploymentId, revisionId } = followed;
  const { deployment, revision } = answers.observe(connection, deploymentId, revisionId);
  const titleOf = (id: string | undefined): string | undefined => {
    const known = answers.revision(connection, id);
    return known === undefined ? id : revisionTitle(known);
  };
  const source = revision?.source_revision_config;
  const usual = facts.verdict.kind === 'working' ? activity.usual(followed) : undefined;
  return [
    [vscode.l10n.t('Status'), followState(facts).words],
    [vscode.l10n.t('Duration'), usual === undefined ? undefined : usualWords(usual)],
    [vscode.l10n.t('Reason'), facts.verdict.kind === 'failed' ? facts.reason : undefined],
    [vscode.l10n.t('Active revision'), titleOf(deployment?.active_revision_id)],
    [vscode.l10n.t('Latest revision'), titleOf(deployment?.latest_revision_id)],
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
