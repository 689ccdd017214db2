import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { deploymentRefText } from '../../core/git/deploymentRef.ts';
import { groupByRepository, type OpenRepository } from '../../core/git/workspaceDeployment.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import type { Parts } from '../parts.ts';
import type { Stores } from '../stores.ts';
import { exists, foldersOnDisk } from '../window/files.ts';
import { checkedOutRef, openGit, type GitRepository } from './gitExtension.ts';
import type { RepositoryRemotes } from './openRemotes.ts';

type WorkspaceDriftDependencies = Pick<
  Stores,
  'connections' | 'deployments' | 'ownDeployments' | 'workspaceDeployments' | 'remoteAddresses' | 'log'
> &
  Pick<Parts, 'background'>;

interface Known {
  /**
   * The live commit and the branch state that the answer belongs to.
   * Undefined for an answer that must be checked again: a fetch can bring a missing commit and changes neither.
   */
  readonly key: string | undefined;
  readonly drift: string;
}

/**
 * Reads the open repositories for the deployments built from them, and compares their branches with the live commits.
 * Reads only local git, when a list is shown and the folder is trusted; fetches nothing.
 */
export class WorkspaceDrift {
  readonly #dependencies: WorkspaceDriftDependencies;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #known = new Map<string, Known>();
  /** The repositories with deployments. */
  #repositories: readonly GitRepository[] = [];
  #watched: vscode.Disposable | undefined;
  readonly #subscription: vscode.Disposable;
  #updating: Promise<void> | undefined;
  #again = false;

  /** Fires with the id of a deployment whose comparison changed. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: WorkspaceDriftDependencies) {
    this.#dependencies = dependencies;
    const update = (): void => void this.#update();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      dependencies.deployments.onDidChange(update),
      dependencies.ownDeployments.onDidFind(update),
      dependencies.connections.onDidChange(() => this.#known.clear()),
      dependencies.remoteAddresses.onDidChange(update),
      vscode.window.onDidChangeActiveTextEditor(() => this.#noteActiveFile()),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
      vscode.workspace.onDidChangeWorkspaceFolders(update),
    );
    this.#noteActiveFile();
  }

  /** How the live commit relates to the open branch; undefined for a deployment of another repository. */
  of(deploymentId: string): string | undefined {
    return this.#known.get(deploymentId)?.drift;
  }

  /** Resolves when the loaded deployments have been compared with the repositories of the open folders. */
  async settled(): Promise<void> {
    // VS Code may add a folder after git's first scan, and git opens it even later.
    const git = await openGit().catch(() => undefined);
    await Promise.allSettled(foldersOnDisk().map(async ({ uri }) => git?.openRepository(uri)));
    await this.#update();
  }

  /** Reads the open repositories again, at the user's request. */
  async refresh(): Promise<void> {
    for (const [id, { drift }] of this.#known) this.#known.set(id, { key: undefined, drift });
    await Promise.all(this.#repositories.map((repository) => repository.status()));
    await this.#update();
  }

  /** The open repository that a deployment is built from. */
  async repositoryOf(deployment: Deployment): Promise<GitRepository | undefined> {
    const open = await this.#dependencies.remoteAddresses.ofOpen();
    return [...groupByRepository(open, [deployment]).keys()][0]?.repository;
  }

  /** Whether the open repository of a deployment pushed the commit of a revision. */
  async wasPushedHere(deployment: Deployment, { source_revision_config: config }: Revision): Promise<boolean> {
    const { repo_ref: ref, repo_commit_sha: commit } = config ?? {};
    const repository = await this.repositoryOf(deployment).catch(() => undefined);
    if (repository === undefined || ref === undefined || commit === undefined) return false;
    const { wasPushed } = await this.#dependencies.background();
    const { fsPath: root } = repository.rootUri;
    const { remotes } = repository.state;
    const answers = await Promise.all(remotes.map(({ name: remote }) => wasPushed({ root, remote, ref }, commit)));
    return answers.includes(true);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#watched?.dispose();
  }

  /** Runs one pass at a time; changes during a pass are handled in the next one. */
  async #update(): Promise<void> {
    if (!vscode.workspace.isTrusted || foldersOnDisk().length === 0) return;
    if (this.#updating === undefined) this.#updating = this.#compareUntilNothingChanges();
    else this.#again = true;
    await this.#updating;
  }

  async #compareUntilNothingChanges(): Promise<void> {
    do {
      this.#again = false;
      await this.#compareAll().catch((error: unknown) => {
        // Without git, the list is complete but has no comparison.
        this.#dependencies.log.debug('The open repository cannot be compared.', error);
      });
    } while (this.#again);
    this.#updating = undefined;
  }

  async #compareAll(): Promise<void> {
    const { connections, ownDeployments, remoteAddresses, workspaceDeployments } = this.#dependencies;
    const { session } = connections;
    const { candidates } = ownDeployments;
    if (candidates.length === 0) return;
    const git = await openGit();
    // Git opens a repository before it reads it; until then, no deployment matches it.
    await Promise.allSettled(git.repositories.filter(isUnread).map((repository) => repository.status()));
    const built = [...groupByRepository(await remoteAddresses.ofOpen(), candidates)];
    workspaceDeployments.match(session, await Promise.all(built.map(async ([open, mine]) => read(open, mine))));
    this.#forgetOthers(new Set(built.flatMap(([, deployments]) => deployments.map(({ id }) => id))));
    this.#watch(built.map(([{ repository }]) => repository));
    for (const [{ repository }, deployments] of built) {
      for (const deployment of deployments) await this.#compare(repository, deployment);
    }
  }

  /** A document of ours or a settings page says nothing about the code at hand, so the last file counts. */
  #noteActiveFile(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme === 'file') this.#dependencies.workspaceDeployments.setActiveFile(uri.path);
  }

  async #compare(repository: GitRepository, deployment: Deployment): Promise<void> {
    const commit = revisionCommit(this.#dependencies.deployments.revision(deployment.active_revision_id));
    if (commit === undefined) {
      // The old comparison was about a revision that is no longer live.
      if (this.#known.delete(deployment.id)) this.#changed.fire(deployment.id);
      return;
    }
    const { HEAD } = repository.state;
    const key = JSON.stringify([commit, HEAD?.commit, HEAD?.ahead]);
    if (this.#known.get(deployment.id)?.key === key) return;
    const { describeDrift, relationOf } = await this.#dependencies.background();
    const relation = await relationOf(repository, commit);
    const drift = describeDrift(relation);
    const before = this.#known.get(deployment.id)?.drift;
    this.#known.set(deployment.id, { key: relation.kind === 'unknownCommit' ? undefined : key, drift });
    if (before !== drift) this.#changed.fire(deployment.id);
  }

  /** Watches repositories with deployments, because a commit, checkout or push changes their comparison. */
  #watch(repositories: readonly GitRepository[]): void {
    this.#repositories = repositories;
    this.#watched?.dispose();
    const states = repositories.map(({ state }) => state.onDidChange(() => void this.#update()));
    this.#watched = vscode.Disposable.from(...states);
  }

  /** Forgets deployments whose repository isn't open. */
  #forgetOthers(compared: ReadonlySet<string>): void {
    for (const id of [...this.#known.keys()].filter((known) => !compared.has(known))) {
      this.#known.delete(id);
      this.#changed.fire(id);
    }
  }
}

async function read({ repository }: RepositoryRemotes, deployments: readonly Deployment[]): Promise<OpenRepository> {
  const { rootUri: root, state } = repository;
  const paths = new Set(deployments.flatMap((each) => each.source_revision_config?.graph_config_path ?? []));
  const found = [...paths].map(async (path) => ((await exists(vscode.Uri.joinPath(root, path))) ? [path] : []));
  const configFiles = new Set((await Promise.all(found)).flat());
  const checkedOut = checkedOutRef(repository, state.HEAD?.upstream?.remote ?? '');
  return { root: root.path, ref: checkedOut && deploymentRefText(checkedOut), configFiles, deployments };
}

/** True until git has read the branch or the remotes. */
function isUnread({ state }: GitRepository): boolean {
  return state.HEAD === undefined && state.remotes.length === 0;
}
