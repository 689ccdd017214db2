import * as vscode from 'vscode';
import { hasGraphs } from '../../core/appConfig/appConfig.ts';
import { rankConfigPaths, skippedFolders } from '../../core/appConfig/paths.ts';
import type { Source } from '../../api/schema/enums.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { preferredRemote } from '../../core/git/remotes.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { listFiles } from '../../git/files.ts';
import type { Git } from '../../git/git.ts';
import { editorRemedy, UserError, type Remedy } from '../window/errors.ts';
import { foldersOnDisk, openDocument, relativePath } from '../window/files.ts';
import { askChoice } from '../window/steps.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import type { GitApi, GitRepository } from './gitExtension.ts';
import { gitIn, openGitFor, readHead } from './isolatedGit.ts';
import type { GitRemoteAddress, RemoteAddresses } from './openRemotes.ts';
import { WorkspaceRepository, type Clone } from './workspaceRepository.ts';

/**
 * Finds the repository of the active editor, or else of the open folders.
 * @param argument the argument of the command; a menu names a file or a repository, which then counts instead
 * @param title the title of every prompt; empty to ask nothing
 * @param chosen the names of the remotes that the user chose before, by the URIs of repositories; takes the next choice
 * @returns undefined if the user cancels a prompt, or isn't asked
 * @throws {UserError} why the repository can't be deployed from here, with remedies
 */
export async function readWorkspaceRepository(
  addresses: RemoteAddresses,
  argument?: unknown,
  title = vscode.l10n.t('Deploy Current Repository'),
  chosen = new Map<string, string>(),
): Promise<WorkspaceRepository | undefined> {
  const folders = foldersForGit();
  const place = placeOf(argument);
  const git = await openGitFor(title);
  const repository = await findRepository(git, folders, place, title);
  if (repository === undefined) return undefined;
  const [clone, remotes] = await whileReading(title, (signal) => {
    const reading = readClone(git, repository, place?.file ?? activeFile(), signal);
    return Promise.all([reading, addresses.read(repository)]);
  });
  const remote = await chooseRemote(repository, remotes, title, chosen);
  return remote && new WorkspaceRepository({ ...clone, remotes }, remote);
}

/** Shows progress while repositories are read. */
async function whileReading<T>(title: string, read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const words = vscode.l10n.t('Looking for config files…');
  return whileWaiting({ title, words }, (signal) => unlessAborted(read(signal), signal));
}

/** Reads what is checked out in a repository, and its config files. */
async function readClone(
  api: GitApi,
  repository: GitRepository,
  inFront: FileInFront | undefined,
  signal: AbortSignal,
): Promise<Omit<Clone, 'remotes'>> {
  const git = gitIn(api, repository.rootUri);
  const own = git.until(signal);
  const [configPaths] = await Promise.all([findConfigFiles(own, repository, inFront), readHead(own, repository)]);
  return { repository, git, configPaths };
}

/** A draft that may be of an open repository. */
interface RepositorySubject {
  readonly source: Source;
  readonly repositoryUrl?: string;
  /** The URI of the root of the working copy that counts if several of the repository are open. */
  readonly root?: string | undefined;
}

/**
 * The open repository that a draft is made from, through the remote that has its URL.
 * Undefined if it isn't open here or can't be read, because the code host's copy can be deployed without it.
 */
export async function openRepositoryOf(
  addresses: RemoteAddresses,
  { repositoryUrl, root }: RepositorySubject,
  title: string,
): Promise<WorkspaceRepository | undefined> {
  if (repositoryUrl === undefined || foldersOnDisk().length === 0) return undefined;
  try {
    const git = await openGitFor(title);
    const find = async (signal: AbortSignal): Promise<WorkspaceRepository | undefined> => {
      const begunIn = git.repositories.filter(({ rootUri }) => rootUri.toString() === root);
      const open = await Promise.all(
        [...new Set([...begunIn, ...git.repositories])].map(async (repository) => ({
          repository,
          remotes: await addresses.read(repository),
        })),
      );
      for (const { repository, remotes } of open) {
        const remote = remotes.find(({ url }) => sameRepository(url, repositoryUrl));
        if (remote === undefined) continue;
        const clone = await readClone(git, repository, activeFile(), signal);
        return new WorkspaceRepository({ ...clone, remotes }, remote);
      }
      return undefined;
    };
    return await whileReading(title, find);
  } catch {
    // A finding says what can't be checked without a working copy.
    return undefined;
  }
}

/** Where a menu was opened. */
interface Place {
  readonly folder: vscode.Uri;
  readonly file: FileInFront | undefined;
}

/** Reads the argument that VS Code passes from the menus of a file and of a source control provider. */
function placeOf(argument: unknown): Place | undefined {
  if (argument instanceof vscode.Uri) {
    return { folder: vscode.Uri.joinPath(argument, '..'), file: { uri: argument, isSelected: true } };
  }
  const isProvider = typeof argument === 'object' && argument !== null && 'rootUri' in argument;
  return isProvider && argument.rootUri instanceof vscode.Uri
    ? { folder: argument.rootUri, file: undefined }
    : undefined;
}

function activeFile(): FileInFront | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && { uri, isSelected: false };
}

/**
 * The open folders where git can run.
 * @throws {UserError} there are none
 */
function foldersForGit(): readonly vscode.WorkspaceFolder[] {
  const onDisk = foldersOnDisk();
  if (onDisk.length > 0) return onDisk;
  const names = (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);
  const message =
    names.length === 0
      ? vscode.l10n.t('No folder is open. Open the folder of the repository that you want to deploy.')
      : vscode.l10n.t(
          "{0} is a virtual workspace, where git doesn't run. Open a clone to deploy it.",
          names.join(', '),
        );
  throw new UserError(message, [openFolder()]);
}

function openFolder(): Remedy {
  return editorRemedy(vscode.l10n.t('Open Folder'), 'vscode.openFolder');
}

async function findRepository(
  git: GitApi,
  folders: readonly vscode.WorkspaceFolder[],
  place: Place | undefined,
  title: string,
): Promise<GitRepository | undefined> {
  const folderOf = (uri: vscode.Uri): vscode.WorkspaceFolder | undefined =>
    folders.find(({ index }) => vscode.workspace.getWorkspaceFolder(uri)?.index === index);
  const active = activeFile()?.uri;
  const activeFolder = place === undefined ? active && folderOf(active) : folderOf(place.folder);
  // An open file selects one of several folders. Git can't run in a file, so use the file's folder.
  const around = active && activeFolder ? [vscode.Uri.joinPath(active, '..')] : folders.map(({ uri }) => uri);
  const places = place === undefined ? around : [place.folder];
  const found = new Map<string, GitRepository>();
  for (const folder of places) {
    // Git looks for the innermost repository, which may be closed and inside an open one.
    const repository = await git.openRepository(folder);
    if (repository !== null) found.set(repository.rootUri.toString(), repository);
  }
  const isNear = ({ rootUri }: GitRepository): boolean => !activeFolder || folderOf(rootUri) === activeFolder;
  const below = place === undefined ? git.repositories.filter(isNear) : [];
  const repositories = found.size > 0 ? [...found.values()] : below;
  const [first, second] = repositories;
  if (first === undefined) throw await noRepository(git, places, activeFolder ? [activeFolder] : folders);
  if (second === undefined) return first;
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('Several repositories are open. Select the one to deploy'),
    items: repositories.map((repository) => ({
      repository,
      label: withoutIcons(repository.rootUri.path.split('/').at(-1) ?? repository.rootUri.path),
      description: withoutIcons(repository.rootUri.fsPath),
    })),
  });
  return choice?.repository;
}

async function noRepository(
  git: GitApi,
  places: readonly vscode.Uri[],
  folders: readonly vscode.WorkspaceFolder[],
): Promise<UserError> {
  const names = folders.map(({ name }) => name).join(', ');
  if ((await Promise.all(places.map(async (place) => isBare(git, place)))).includes(true)) {
    return new UserError(
      vscode.l10n.t('{0} is a bare repository, which has no files. Open a worktree of it to deploy it.', names),
      [openFolder()],
    );
  }
  for (const place of places) {
    const root = await git.getRepositoryRoot(place);
    if (root === null) continue;
    // Older VS Code versions open a parent repository, or a closed one, only at the user's request.
    return new UserError(
      vscode.l10n.t('The repository {0} is not open. Open it in the Source Control view, then try again.', root.fsPath),
      [editorRemedy(vscode.l10n.t('Show Source Control'), 'workbench.view.scm')],
    );
  }
  return new UserError(
    vscode.l10n.t('{0} is not a git repository. Deployments are built from git repositories.', names),
    [editorRemedy(vscode.l10n.t('Initialize Repository'), 'git.init')],
  );
}

async function isBare(git: GitApi, place: vscode.Uri): Promise<boolean> {
  return gitIn(git, place)
    .run(['rev-parse', '--is-bare-repository'])
    .then(
      (answer) => answer.trim() === 'true',
      () => false,
    );
}

async function chooseRemote(
  repository: GitRepository,
  remotes: readonly GitRemoteAddress[],
  title: string,
  chosen: Map<string, string>,
): Promise<GitRemoteAddress | undefined> {
  if (remotes.length === 0) {
    throw new UserError(
      vscode.l10n.t('The repository has no remote. The service builds from a remote, so add one and push to it.'),
      [editorRemedy(vscode.l10n.t('Add Remote'), 'git.addRemote')],
    );
  }
  const configured = vscode.workspace
    .getConfiguration('deploymentManager', repository.rootUri)
    .get<string>('git.remote', 'origin');
  const root = repository.rootUri.toString();
  const before = chosen.get(root);
  const match =
    preferredRemote(remotes, configured, repository.state.HEAD?.upstream?.remote) ??
    remotes.find(({ name }) => name === before);
  if (match !== undefined) return match;
  const choice = await askChoice({
    title,
    placeholder: vscode.l10n.t('No remote is named "{0}". Select the one that the service builds from', configured),
    items: remotes.map((remote) => ({
      remote,
      label: withoutIcons(remote.name),
      description: withoutIcons(remote.url),
    })),
  });
  if (choice !== undefined) chosen.set(root, choice.remote.name);
  return choice?.remote;
}

/** The file that the user is looking at, or has selected in a menu. */
interface FileInFront {
  readonly uri: vscode.Uri;
  /** True for the user's own choice, which is a config file whatever it contains. */
  readonly isSelected: boolean;
}

/**
 * The application config files of a repository, the nearest to the file in front first; relative to the root.
 * Leaves out files that git ignores and those of repositories inside this one. Adds the file in front if it is a config
 * file under another name.
 */
async function findConfigFiles(
  git: Git,
  repository: GitRepository,
  inFront: FileInFront | undefined,
): Promise<readonly string[]> {
  const { rootUri: root } = repository;
  const settings = vscode.workspace.getConfiguration('deploymentManager', root);
  const found = await listFiles(git, settings.get<readonly string[]>('appConfig.patterns', []), skippedFolders);
  const path = inFront && relativePath(root, inFront.uri);
  const isConfig = inFront !== undefined && (inFront.isSelected || hasGraphs(textOf(inFront.uri), inFront.uri.path));
  return rankConfigPaths(isConfig && path !== undefined ? [...found, path] : found, path);
}

/** The text of an open file, with unsaved changes. */
function textOf(uri: vscode.Uri): string {
  return openDocument(uri)?.getText() ?? '';
}
