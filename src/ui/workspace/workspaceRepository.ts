import * as vscode from 'vscode';
import { rankConfigPaths, skippedFolders } from '../../core/appConfig/paths.ts';
import type { GitState } from '../../core/draft/findings.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { UserError } from '../window/errors.ts';
import { askChoice, back } from '../window/steps.ts';
import {
  countCommits,
  openGit,
  remotesOf,
  type GitApi,
  type GitRemoteAddress,
  type GitRepository,
} from './gitExtension.ts';

/** The repository that is open in the editor, as a deployment sees it. */
export interface WorkspaceRepository {
  readonly root: vscode.Uri;
  readonly remote: string;
  readonly remoteUrl: string;
  /** The branch that is checked out; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  /** Application config files, the likeliest first; relative to the root, with forward slashes. */
  readonly configPaths: readonly string[];
  /** What the remote is known to have of a branch, next to the working copy. Nothing is fetched. */
  stateOf(branch: string, configPath: string): Promise<GitState>;
  /** The text of a file in a branch as the remote is known to have it. Fails where there is none. */
  remoteFile(branch: string, path: string): Promise<string>;
  /** Branches that the remote is known to have, and tags; the newest first. */
  refs(): Promise<{ readonly branches: readonly string[]; readonly tags: readonly string[] }>;
  /** Asks the remote what it has now; what `stateOf` and `refs` say is as new as this. */
  fetch(): Promise<void>;
  /** Sends a branch to the remote. */
  push(branch: string): Promise<void>;
}

/**
 * Looks at the repository of the active editor, or else of the open folder.
 * @returns undefined when the person left a question unanswered
 * @throws {UserError} each reason why it cannot be deployed from here, with what to do
 */
export async function readWorkspaceRepository(): Promise<WorkspaceRepository | undefined> {
  const folders = foldersOnDisk();
  const repository = await findRepository(await openGit(vscode.l10n.t('Deploy Current Repository')), folders);
  if (repository === undefined) return undefined;
  await repository.status();
  const remote = await chooseRemote(repository);
  if (remote === undefined) return undefined;
  return {
    root: repository.rootUri,
    remote: remote.name,
    remoteUrl: remote.url,
    branch: repository.state.HEAD?.name,
    configPaths: await findConfigs(repository.rootUri),
    stateOf: async (branch, configPath) => readState(repository, remote.name, branch, configPath),
    remoteFile: async (branch, path) => showFile(repository, remoteRefOf(remote.name, branch), path),
    refs: async () => readRefs(repository, remote.name),
    fetch: async () => repository.fetch(remote.name),
    push: async (branch) => repository.push(remote.name, branch, false),
  };
}

/** The text of a file of the repository's working copy. */
export async function readRepositoryFile(root: vscode.Uri, path: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path)));
}

/**
 * The open folders in which git can run. A folder of another file system may have the path of one on this machine, so
 * that git must never be shown one.
 */
function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    throw new UserError(
      vscode.l10n.t('No folder is open. Open the folder of the repository that you want to deploy.'),
      [{ title: vscode.l10n.t('Open Folder'), run: () => vscode.commands.executeCommand('vscode.openFolder') }],
    );
  }
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
  if (onDisk.length === 0) {
    throw new UserError(
      vscode.l10n.t(
        "{0} is a virtual workspace, where git doesn't run. Open a clone to deploy it.",
        folders.map(({ name }) => name).join(', '),
      ),
      [{ title: vscode.l10n.t('Open Folder'), run: () => vscode.commands.executeCommand('vscode.openFolder') }],
    );
  }
  return onDisk;
}

async function findRepository(
  git: GitApi,
  folders: readonly vscode.WorkspaceFolder[],
): Promise<GitRepository | undefined> {
  const folderOf = (uri: vscode.Uri): vscode.WorkspaceFolder | undefined =>
    folders.find(({ index }) => vscode.workspace.getWorkspaceFolder(uri)?.index === index);
  const active = vscode.window.activeTextEditor?.document.uri;
  const activeFolder = active && folderOf(active);
  // An open file says which of several folders is meant. Git runs in the folder of the file, as it cannot in a file.
  const places = active && activeFolder ? [vscode.Uri.joinPath(active, '..')] : folders.map(({ uri }) => uri);
  const found = new Map<string, GitRepository>();
  for (const place of places) {
    const repository = git.getRepository(place) ?? (await openAround(git, place));
    if (repository !== null) found.set(repository.rootUri.toString(), repository);
  }
  const below = git.repositories.filter(({ rootUri }) => !activeFolder || folderOf(rootUri) === activeFolder);
  const repositories = found.size > 0 ? [...found.values()] : below;
  const [first, second] = repositories;
  if (first === undefined) throw await noRepository(git, places, activeFolder ? [activeFolder] : folders);
  if (second === undefined) return first;
  const choice = await askChoice({
    title: vscode.l10n.t('Deploy Current Repository'),
    placeholder: vscode.l10n.t('Several repositories are open. Select the one to deploy'),
    items: repositories.map((repository) => ({
      repository,
      label: withoutIcons(repository.rootUri.path.split('/').at(-1) ?? repository.rootUri.path),
      description: withoutIcons(repository.rootUri.fsPath),
    })),
  });
  return choice === undefined || choice === back ? undefined : choice.repository;
}

/** Opens the repository that a folder lies in, also when its root is above what is open in the editor. */
async function openAround(git: GitApi, place: vscode.Uri): Promise<GitRepository | null> {
  const root = await git.getRepositoryRoot(place);
  return root === null ? null : git.openRepository(root);
}

async function noRepository(
  git: GitApi,
  places: readonly vscode.Uri[],
  folders: readonly vscode.WorkspaceFolder[],
): Promise<UserError> {
  for (const place of places) {
    const root = await git.getRepositoryRoot(place);
    if (root === null) continue;
    // An older VS Code opens a repository above the open folder, or one that was closed, only when the user says so.
    return new UserError(
      vscode.l10n.t('The repository {0} is not open. Open it in the Source Control view, then try again.', root.fsPath),
      [
        {
          title: vscode.l10n.t('Show Source Control'),
          run: () => vscode.commands.executeCommand('workbench.view.scm'),
        },
      ],
    );
  }
  const names = folders.map(({ name }) => name).join(', ');
  return new UserError(
    vscode.l10n.t('{0} is not a git repository. Deployments are built from git repositories.', names),
    [{ title: vscode.l10n.t('Initialize Repository'), run: () => vscode.commands.executeCommand('git.init') }],
  );
}

async function chooseRemote(repository: GitRepository): Promise<GitRemoteAddress | undefined> {
  const remotes = remotesOf(repository);
  const [first, second] = remotes;
  if (first === undefined) {
    throw new UserError(
      vscode.l10n.t('The repository has no remote. The service builds from a remote, so add one and push to it.'),
      [{ title: vscode.l10n.t('Add Remote'), run: () => vscode.commands.executeCommand('git.addRemote') }],
    );
  }
  const preferred = vscode.workspace
    .getConfiguration('deploymentManager', repository.rootUri)
    .get<string>('git.remote', 'origin');
  const match = remotes.find(({ name }) => name === preferred);
  if (match !== undefined || second === undefined) return match ?? first;
  const choice = await askChoice({
    title: vscode.l10n.t('Deploy Current Repository'),
    placeholder: vscode.l10n.t('No remote is named "{0}". Select the one that the service builds from', preferred),
    items: remotes.map((remote) => ({
      remote,
      label: withoutIcons(remote.name),
      description: withoutIcons(remote.url),
    })),
  });
  return choice === undefined || choice === back ? undefined : choice.remote;
}

async function findConfigs(root: vscode.Uri): Promise<readonly string[]> {
  const patterns = vscode.workspace
    .getConfiguration('deploymentManager', root)
    .get<readonly string[]>('appConfig.patterns', []);
  const excluded = new vscode.RelativePattern(root, `**/{${skippedFolders.join(',')}}/**`);
  const found = await Promise.all(
    patterns.map((pattern) => vscode.workspace.findFiles(new vscode.RelativePattern(root, pattern), excluded, 200)),
  );
  const active = vscode.window.activeTextEditor?.document.uri;
  const paths = new Set(found.flat().map((uri) => relativePath(root, uri)));
  return rankConfigPaths([...paths], active === undefined ? undefined : relativePath(root, active));
}

async function readState(
  repository: GitRepository,
  remote: string,
  branch: string,
  configPath: string,
): Promise<GitState> {
  const { HEAD, mergeChanges, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const remoteRef = remoteRefOf(remote, branch);
  const remoteCommit = await repository.getCommit(remoteRef).then(
    ({ hash }) => hash,
    // git answers with an error where the remote has no such branch.
    () => undefined,
  );
  const changed = [...mergeChanges, ...indexChanges, ...workingTreeChanges, ...untrackedChanges];
  const isCompared = remoteCommit !== undefined && HEAD?.name === branch;
  const [ahead, behind] = await Promise.all([
    isCompared ? countCommits(repository, `${remoteRef}..HEAD`) : 0,
    isCompared ? countCommits(repository, `HEAD..${remoteRef}`) : 0,
  ]);
  return {
    kind: HEAD?.name === undefined ? 'detached' : 'branch',
    ...(HEAD?.name === undefined ? {} : { branch: HEAD.name }),
    remoteName: remote,
    remoteBranchExists: remoteCommit !== undefined,
    ahead,
    behind,
    uncommittedFiles: new Set(changed.map(({ uri }) => uri.toString())).size,
    ...(remoteCommit === undefined ? {} : { remoteCommit }),
    ...(remoteCommit === undefined || configPath === ''
      ? {}
      : { configInRemote: await hasFile(repository, remoteRef, configPath) }),
  };
}

async function readRefs(repository: GitRepository, remote: string): ReturnType<WorkspaceRepository['refs']> {
  const refs = await repository.getRefs({ sort: 'committerdate' });
  const prefix = `${remote}/`;
  const namesOf = (type: 1 | 2): string[] =>
    refs.flatMap((ref) => (ref.type === type && ref.name !== undefined ? [ref.name] : []));
  return {
    branches: namesOf(1).flatMap((name) =>
      name.startsWith(prefix) && name !== `${prefix}HEAD` ? [name.slice(prefix.length)] : [],
    ),
    tags: namesOf(2),
  };
}

async function hasFile(repository: GitRepository, ref: string, path: string): Promise<boolean> {
  return showFile(repository, ref, path).then(
    () => true,
    () => false,
  );
}

function showFile(repository: GitRepository, ref: string, path: string): Promise<string> {
  return repository.show(ref, vscode.Uri.joinPath(repository.rootUri, path).fsPath);
}

function remoteRefOf(remote: string, branch: string): string {
  return `refs/remotes/${remote}/${branch}`;
}

function relativePath(root: vscode.Uri, uri: vscode.Uri): string {
  return uri.path.startsWith(`${root.path}/`) ? uri.path.slice(root.path.length + 1) : uri.path;
}
