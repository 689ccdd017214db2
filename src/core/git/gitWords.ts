import * as l10n from '@vscode/l10n';
import { safeText } from '../../api/redaction/redact.ts';

/** The most text of git to read, in characters. A server's hook may print any amount. */
const longestOutput = 20_000;

/** Why git failed, according to its output. */
export type GitFailure =
  | 'behind'
  | 'protected'
  | 'declined'
  | 'credentials'
  | 'hostKey'
  | 'notFound'
  | 'network'
  | 'diverged'
  | 'conflict'
  | 'hook'
  | 'other';

/** The messages of git, SSH and the usual code hosts for each failure, the most specific first. */
const signs: readonly (readonly [GitFailure, RegExp])[] = [
  ['behind', /\((?:fetch first|non-fast-forward)\)/],
  ['protected', /\bGH0(?:06|13)\b|protected branch/i],
  ['declined', /^ ! \[remote rejected\]/m],
  ['hostKey', /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/],
  [
    'credentials',
    /Authentication failed|could not read (?:Username|Password)|Permission denied|returned error: 40[13]|Access denied|access to repository not granted|Invalid username or/i,
  ],
  ['notFound', /repository\b.{0,300}\bnot found|returned error: 404|does not appear to be a git repository/i],
  [
    'network',
    /Could not resolve host|Failed to connect|Couldn't connect|Connection (?:refused|timed out|reset|closed)|Operation timed out|unreachable|unexpected disconnect/i,
  ],
  ['diverged', /Need to specify how to reconcile divergent branches/],
  ['conflict', /^CONFLICT |would be overwritten by|unstaged changes/m],
  // Git itself says nothing about a hook of this clone that stops a push.
  ['hook', /^error: failed to push some refs/m],
];

/** Explains a failure and says what to do; undefined if git's own words are clearer. */
const explanations = {
  behind: () => l10n.t("The remote has commits that you don't have. Pull, then push again."),
  protected: () => l10n.t('The branch is protected. Push another branch and merge it there.'),
  declined: () => l10n.t('The remote declined the push.'),
  credentials: () => l10n.t("You aren't signed in to the remote. Check your credentials and your access."),
  hostKey: () => l10n.t("The remote's host key isn't trusted. Connect to it once in a terminal to check the key."),
  notFound: () => l10n.t("The repository doesn't exist, or you have no access. Check the address of the remote."),
  network: () => l10n.t("The remote can't be reached. Check the network, then try again."),
  diverged: () => l10n.t('Both sides have new commits. Pull in the Source Control view, then push.'),
  conflict: () => l10n.t('Resolve the conflicts in the Source Control view, then try again.'),
  hook: () => l10n.t('A hook of this clone stopped the push.'),
  other: () => undefined,
} satisfies Record<GitFailure, () => string | undefined>;

/** Tells from git's output why it failed. */
export function gitFailureIn(output: string): GitFailure {
  const text = output.slice(0, longestOutput);
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'other';
}

/**
 * Explains a failure: what happened, what to do, and git's own words. Undefined if git said nothing.
 * Leaves out hints, addresses, passwords and progress.
 */
export function explainGitFailure(output: string): string | undefined {
  const failure = gitFailureIn(output);
  const words = gitWords(output, failure === 'hook');
  const explanation = explanations[failure]();
  if (words === '') return explanation;
  return explanation === undefined ? l10n.t('Git says: {0}', words) : l10n.t('{0} Git says: {1}', explanation, words);
}

/** The messages of the remote and the reason of a rejection. A hook of this clone may print anything. */
function gitWords(output: string, isOfHook: boolean): string {
  const lines = output.slice(0, longestOutput).split(/[\n\r]/);
  const words = lines.map((line) => (isOfHook && !/^(?:error|hint|To):? /.test(line) ? line.trim() : wordsOf(line)));
  return safeText([...new Set(words.filter((line) => line !== ''))].join('. '));
}

function wordsOf(line: string): string {
  const said = rejectionIn(line) ?? /^(?:remote|error|fatal|ssh|ERROR):(.*)$/.exec(line)?.[1] ?? refusalOfSsh(line);
  const words = said.trim().replace(/\.$/, '');
  // These only repeat the address, and what SSH said.
  return /^(?:failed to push some refs|Could not read from remote repository)/.test(words) ? '' : words;
}

/** SSH marks its refusals with the address at most. */
function refusalOfSsh(line: string): string {
  return /(?:^|: )(Permission denied \(.*|Host key verification failed.*)/s.exec(line)?.[1] ?? '';
}

/** The reason in a line such as ` ! [rejected]  main -> main (fetch first)`. */
function rejectionIn(line: string): string | undefined {
  if (!/^ ! \[[a-z ]*rejected\]/.test(line)) return undefined;
  return line.slice(line.lastIndexOf('(') + 1, line.lastIndexOf(')'));
}
