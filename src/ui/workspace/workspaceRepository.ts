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

/** The repository that is open in the editor, as a deployment needs it. */
export interface WorkspaceRepository {
  readonly root: vscode.Uri;
  readonly remote: string;
  readonly remoteUrl: string;
  /** The checked-out branch; undefined for a detached HEAD. */
  readonly branch: string | undefined;
  /** Application config files, the likeliest first; relative to the root, with forward slashes. */
  readonly configPaths: readonly string[];
  /** The known state of a branch on the remote, and of the working copy. Fetches nothing. */
  stateOf(branch: string, configPath: string): Promise<GitState>;
  /** The text of a file in a remote branch, as of the last fetch; rejects if there is none. */
  remoteFile(branch: string, path: string): Promise<string>;
  /** Known remote branches, and tags; the newest first. */
  refs(): Promise<{ readonly branches: readonly string[]; readonly tags: readonly string[] }>;
  /** Fetches from the remote; `stateOf` and `refs` are as current as the last fetch. */
  fetch(): Promise<void>;
  /** Pushes a branch to the remote. */
  push(branch: string): Promise<void>;
}

/**
 * Finds the repository of the active editor, or else of the open folders.
 * @returns undefined if the user cancels a prompt
 * @throws {UserError} why the repository can't be deployed from here, with remedies
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

/** The text of a file in the repository's working copy. */
export async function readRepositoryFile(root: vscode.Uri, path: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path)));
}

/**
 * The open folders where git can run.
 * A folder of another file system may have the path of a local one, so git must never get it.
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
  // An open file selects one of several folders. Git can't run in a file, so use the file's folder.
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

/** Opens the repository that contains a folder, even if its root is above the open folder. */
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
    // Older VS Code versions open a parent repository, or a closed one, only at the user's request.
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
    // Git reports an error if the remote has no such branch.
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
