import * as l10n from '@vscode/l10n';
import { MAX_UPLOAD_BYTES } from '../../api/resources/deploymentChanges.ts';
import { finding, type Finding } from '../draft/findings.ts';
import { firstNames, shortened } from '../text/text.ts';
import { leftOutWords, type LeftOut, type LeftOutReason } from './leftOut.ts';
import { checkoutWords, type UploadedCheckout } from './uploadNote.ts';

/** A file that is uploaded, in bytes. */
interface SizedFile {
  readonly path: string;
  readonly size: number;
}

/** What is known of a folder before it is uploaded. All paths are relative to it, with forward slashes. */
export interface FolderFacts {
  /** The name of the folder. */
  readonly name: string;
  /** Its path on disk. */
  readonly place: string;
  /** What is checked out in it. Undefined if that isn't known. */
  readonly checkout: UploadedCheckout | undefined;
  readonly files: readonly SizedFile[];
  readonly leftOut: readonly LeftOut[];
  /** Pointers of Git LFS among the files. */
  readonly pointers: readonly string[];
  /** Scripts among the files that Linux can't run, because their lines end as on Windows. */
  readonly windowsScripts: readonly string[];
  /** Whether git told which files belong to the folder, and why it couldn't. */
  readonly isFromGit: boolean;
  readonly gitProblem?: string | undefined;
  /** Files with changes in the editor that aren't saved. */
  readonly unsaved: readonly string[];
  /** The local dependencies of the application that lie outside the folder, as its config file writes them. */
  readonly outside: readonly string[];
  /** Why the build will fail, as a phrase. */
  readonly buildProblem?: string | undefined;
}

/** What people want to know about, because the build may miss it. The other reasons are the usual ones. */
const surprising: readonly LeftOutReason[] = [
  'linkOutside',
  'linkNowhere',
  'submodule',
  'repository',
  'special',
  'name',
  'unreadable',
];

/** Findings about a folder, the last of which says what is uploaded. Nothing is while one of them is an error. */
export function folderFindings(facts: FolderFacts): readonly Finding[] {
  const { name, files, leftOut, pointers, windowsScripts, isFromGit, gitProblem, unsaved, outside, buildProblem } =
    facts;
  const findings: Finding[] = [];
  const say = (severity: Finding['severity'], message: string): number => findings.push(finding(severity, message));
  if (files.length === 0) say('error', l10n.t('{0} has no files to upload, or git ignores all of them.', name));
  if (pointers.length > 0) {
    const names = namesOf(pointers);
    say('error', l10n.t('Git LFS hasn\'t fetched {0}. Run "git lfs pull", then try again.', names));
  }
  const total = sizeOf(files);
  if (total > MAX_UPLOAD_BYTES) say('error', tooLargeFolder(total, files));
  if (buildProblem !== undefined) {
    findings.push(finding('warning', l10n.t('The build will fail: {0}.', buildProblem), 'configPath'));
  }
  if (outside.length > 0) {
    const names = namesOf(outside);
    say('warning', l10n.t('The application needs {0} outside this folder. Deploy a folder that holds both.', names));
  }
  if (windowsScripts.length > 0) {
    const names = namesOf(windowsScripts);
    say('warning', l10n.t("Linux can't run scripts with Windows line ends. Save these with LF: {0}.", names));
  }
  if (unsaved.length > 0) say('warning', l10n.t("Unsaved changes aren't uploaded: {0}.", namesOf(unsaved)));
  for (const reason of surprising) {
    const paths = leftOut.filter((left) => left.reason === reason).map(({ path }) => path);
    if (paths.length > 0) say('warning', l10n.t('Left out ({0}): {1}.', leftOutWords({ reason }), namesOf(paths)));
  }
  if (gitProblem !== undefined) {
    say('warning', l10n.t("Git isn't available, so files that it would ignore are uploaded too: {0}", gitProblem));
  } else if (!isFromGit) {
    say(
      'info',
      l10n.t(
        "{0} isn't in a git repository. All its files are uploaded, except packages, caches and .env files.",
        name,
      ),
    );
  }
  return [...findings, finding('info', uploadWords(facts), 'tarballPath')];
}

function uploadWords({ place, files, checkout }: FolderFacts): string {
  const what = checkout === undefined ? filesWords(files) : `${filesWords(files)}, ${checkoutWords(checkout)}`;
  return l10n.t('Uploads {0} as it is on disk: {1}. Nothing is committed or pushed.', withoutControls(place), what);
}

function tooLargeFolder(total: number, files: readonly SizedFile[]): string {
  return l10n.t(
    "The files have {0}, more than the limit of {1}. Have git ignore what the application doesn't need. The largest: {2}.",
    sizeWords(total),
    sizeWords(MAX_UPLOAD_BYTES),
    largestWords(files),
  );
}

/** The archive has more bytes than the service takes, which its files didn't show. */
export function tooLargeArchive(): string {
  return l10n.t('The archive is larger than the limit of {0}.', sizeWords(MAX_UPLOAD_BYTES));
}

/** The number of files and their size, such as "42 files, 1.2 MB". */
export function filesWords(files: readonly SizedFile[]): string {
  const size = sizeWords(sizeOf(files));
  return files.length === 1 ? l10n.t('1 file, {0}', size) : l10n.t('{0} files, {1}', count(files.length), size);
}

/** The largest files, the largest first. */
function largestWords(files: readonly SizedFile[]): string {
  return largestOf(files, 3)
    .map(({ path, size }) => l10n.t('{0} ({1})', shown(path), sizeWords(size)))
    .join(', ');
}

/** More than anybody reads. */
const mostListed = 5000;

interface FileRow {
  readonly path: string;
  /** The size of what is uploaded, or why it isn't. */
  readonly words: string;
}

/** A list of files under a heading. */
interface FileList {
  readonly heading: string;
  readonly rows: readonly FileRow[];
  /** Says how many there are besides. */
  readonly more?: string;
}

/** What an upload takes, the largest first, and what it leaves out, if anything. */
export function fileLists({ files, leftOut }: Pick<FolderFacts, 'files' | 'leftOut'>): readonly FileList[] {
  const left = leftOut.map((each) => ({ path: shown(each.path), words: leftOutWords(each) }));
  const taken = largestOf(files, files.length).map(({ path, size }) => ({ path: shown(path), words: sizeWords(size) }));
  const lists = [
    { heading: l10n.t('Left out, besides what git ignores'), rows: left },
    { heading: l10n.t('Files to upload'), rows: taken },
  ];
  return lists
    .filter(({ rows }) => rows.length > 0)
    .map(({ heading, rows }) => {
      const more = rows.length - mostListed;
      return {
        heading,
        rows: rows.slice(0, mostListed),
        ...(more > 0 ? { more: l10n.t('{0} more', count(more)) } : {}),
      };
    });
}

function largestOf(files: readonly SizedFile[], most: number): readonly SizedFile[] {
  return files.toSorted((one, other) => other.size - one.size).slice(0, most);
}

function sizeOf(files: readonly SizedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Formats a size in bytes, such as "1.2 MB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? l10n.t('{0} kB', rounded(kilobytes)) : l10n.t('{0} MB', rounded(kilobytes / 1024));
}

function rounded(value: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

function count(value: number): string {
  return new Intl.NumberFormat('en').format(value);
}

function namesOf(paths: readonly string[]): string {
  return firstNames(paths.map(shown));
}

/** The name of a file may hold anything but a slash. */
function shown(path: string): string {
  return shortened(withoutControls(path), 120);
}

function withoutControls(path: string): string {
  return path.replaceAll(/\p{Cc}/gu, '?');
}
