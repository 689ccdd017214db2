import * as l10n from '@vscode/l10n';

/** Why something in a folder isn't uploaded. */
export type LeftOutReason = keyof typeof reasons;

/** A file, folder or link that isn't uploaded. */
export interface LeftOut {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

const reasons = {
  secrets: () => l10n.t('may hold secrets'),
  git: () => l10n.t('belongs to git'),
  skipped: () => l10n.t('installed packages or a cache'),
  linkOutside: () => l10n.t('links outside the folder'),
  linkNowhere: () => l10n.t("links to what isn't uploaded"),
  submodule: () => l10n.t("submodule that isn't checked out"),
  repository: () => l10n.t('repository of its own'),
  special: () => l10n.t('neither a file nor a folder'),
  name: () => l10n.t("name that isn't UTF-8"),
  tooMany: () => l10n.t('too many files'),
  unreadable: () => l10n.t("can't be read"),
} satisfies Record<string, () => string>;

/** Puts a reason into words, as a phrase. */
export function leftOutWords({ reason }: Pick<LeftOut, 'reason'>): string {
  return reasons[reason]();
}

/** Such as `.env`, `.env.production`, `.env copy`, `.env~`, `#.env#`, `.envrc`, `.envs` and `production.env`. */
const dotenv = /^#?\.env(?:rc|s)?(?:[^a-z]|$)|\.env[~#]?$/;

/** Samples have names, but no values. */
const samples = /^(?:\.env\.(?:example|sample|template)|(?:example|sample|template)\.env)$/;

/** Why a path is never uploaded, whatever it is; undefined if it may be. Also counts for all that is in such a folder. */
export function neverUploaded(path: string): 'git' | 'secrets' | undefined {
  const names = path.toLowerCase().split('/');
  if (names.includes('.git')) return 'git';
  return names.some((name) => dotenv.test(name) && !samples.test(name)) ? 'secrets' : undefined;
}

/** Whether a file is run by the program that its first line names. */
export function mayBeScript(path: string, isExecutable: boolean): boolean {
  return isExecutable || path.endsWith('.sh');
}

/** Whether the first line names a program and ends as on Windows. Linux takes that end for a part of the name. */
export function isWindowsScript(text: string): boolean {
  return /^#!.*\r\n/.test(text);
}

/** The longest pointer of Git LFS, in bytes. */
export const longestPointer = 1024;

/** Whether a text is a pointer of Git LFS, which stands for a file that wasn't fetched. */
export function isPointer(text: string): boolean {
  return /^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\r?\n/.test(text) && /^oid sha256:/m.test(text);
}
