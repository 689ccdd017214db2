import { dirname } from 'node:path/posix';
import * as vscode from 'vscode';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { deploymentRefText } from '../../core/draft/draft.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import { chosenOf, deployedFrom, deploymentsOf, mainOf, withChoice } from '../../core/git/workspaceDeployment.ts';
import type { OwnDeployment } from '../../core/git/workspaceDeployment.ts';
import { slotOfConnection } from '../../state/connections/connectionMemory.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { OwnDeployments } from '../../state/following/ownDeployments.ts';
import type { Deployments } from '../../state/lists/deployments.ts';
import { readTexts, type Memory } from '../../state/memory.ts';
import { exists, foldersOnDisk } from '../window/files.ts';
import type { Log } from '../window/log.ts';
import { checkedOutRef, openGit, type GitApi, type GitRepository, watchRemotes } from './gitExtension.ts';
import type { RemoteAddresses } from './remoteAddresses.ts';

export interface WorkspaceDriftDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly ownDeployments: Pick<OwnDeployments, 'remember'>;
  readonly remoteAddresses: RemoteAddresses;
  readonly workspaceMemory: Memory;
  readonly log: Log;
}

interface Known {
  /**
   * The live commit and the branch state that the answer belongs to.
   * Undefined for an answer that must be checked again: a fetch can bring a missing commit and changes neither.
   */
  readonly key: string | undefined;
  readonly drift: string;
}

/**
 * The deployments of the open repository, and how their live commits relate to its branch.
 * Reads only local git, when a list is shown and the folder is trusted; fetches nothing.
 */
export class WorkspaceDrift {
  readonly #dependencies: WorkspaceDriftDependencies;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #marked = new vscode.EventEmitter<void>();
  readonly #known = new Map<string, Known>();
  /** By root, because git returns a new object for a repository each time. */
  readonly #followed = new Map<string, { readonly repository: GitRepository; readonly state: vscode.Disposable }>();
  readonly #subscription: vscode.Disposable;
  #remotes: vscode.Disposable | undefined;
  /** The open repository of each URL looked up so far; valid while the same remotes are open. */
  #found:
    | {
        readonly remotes: string;
        readonly repositories: ReadonlyMap<GitRepository, readonly string[]>;
        readonly byUrl: Map<string, GitRepository | undefined>;
      }
    | undefined;
  /** Undefined until deployments have been compared with the open repositories. */
  #mine: ReadonlySet<string> | undefined;
  /**
   * Deployments that only the user can tell apart, each with all of its alternatives.
   * A choice leaves one of them in `#mine`.
   */
  #alternatives: ReadonlyMap<string, readonly string[]> = new Map();
  #places: readonly OwnDeployment[] | undefined;
  #activeFile: vscode.Uri | undefined;
  #updating: Promise<void> | undefined;
  #again = false;

  /** Fires with the id of a deployment that changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when other deployments are the workspace's own, or may be, and when another one is the main one. */
  readonly onDidMark = this.#marked.event;

  constructor(dependencies: WorkspaceDriftDependencies) {
    this.#dependencies = dependencies;
    const update = (): void => void this.#update();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      this.#marked,
      dependencies.deployments.onDidChange(update),
      dependencies.connections.onDidChange(() => {
        this.#known.clear();
        this.#mine = undefined;
        this.#places = undefined;
        this.#alternatives = new Map();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.#lookAtFile()),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
      vscode.workspace.onDidChangeWorkspaceFolders(update),
    );
    this.#lookAtFile();
  }

  /** How the live commit relates to the open branch; undefined for a deployment of another repository. */
  of(deploymentId: string): string | undefined {
    return this.#known.get(deploymentId)?.drift;
  }

  /** All deployments that fit the open repositories, also those not chosen. Undefined until they have been compared. */
  get own(): ReadonlySet<string> | undefined {
    return this.#places && new Set(this.#places.map(({ id }) => id));
  }

  /** The one of them to show while none changes. */
  get main(): string | undefined {
    return this.#places && mainOf(this.#places, this.#activeFile?.path, process.platform);
  }

  /** Whether this is known to be the deployment of the open repository. */
  isOfWorkspace(deploymentId: string): boolean {
    return this.#mine?.has(deploymentId) === true;
  }

  /** Whether several deployments fit the open repository, so only the user can tell which one is meant. */
  hasAlternatives(deploymentId: string): boolean {
    return this.#alternatives.has(deploymentId);
  }

  /** Remembers the user's choice among several deployments of the open repository. */
  async choose(deploymentId: string): Promise<void> {
    const alternatives = this.#alternatives.get(deploymentId);
    if (alternatives === undefined) return;
    const { workspaceMemory } = this.#dependencies;
    await workspaceMemory.update(this.#choiceSlot(), withChoice(this.#choices(), deploymentId, alternatives));
    await this.#update();
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
    await Promise.all([...this.#followed.values()].map(({ repository }) => repository.status()));
    await this.#update();
  }

  /** The open repository that a deployment is built from. */
  async repositoryOf(deployment: Deployment): Promise<GitRepository | undefined> {
    return this.#repositoryIn(await openGit(), deployment);
  }

  /** Whether the open repository of a deployment pushed the commit of a revision. */
  async wasPushedHere(deployment: Deployment, { source_revision_config: config }: Revision): Promise<boolean> {
    const { repo_ref: ref, repo_commit_sha: commit } = config ?? {};
    const repository = await this.repositoryOf(deployment).catch(() => undefined);
    if (repository === undefined || ref === undefined || commit === undefined) return false;
    const { wasPushed } = await import('./lastFetch.ts');
    const { fsPath: root } = repository.rootUri;
    const { remotes } = repository.state;
    const answers = await Promise.all(remotes.map(({ name: remote }) => wasPushed({ root, remote, ref }, commit)));
    return answers.includes(true);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#remotes?.dispose();
    for (const { state } of this.#followed.values()) state.dispose();
  }

  /** Runs one pass at a time; changes during a pass are handled in the next one. */
  async #update(): Promise<void> {
    if (!vscode.workspace.isTrusted || foldersOnDisk().length === 0) return;
    if (this.#updating === undefined) this.#updating = this.#lookUntilNothingChanges();
    else this.#again = true;
    await this.#updating;
  }

  async #lookUntilNothingChanges(): Promise<void> {
    do {
      this.#again = false;
      await this.#lookAtAll().catch((error: unknown) => {
        // Without git, the list is complete but has no comparison.
        this.#dependencies.log.debug('The open repository cannot be compared.', error);
      });
    } while (this.#again);
    this.#updating = undefined;
  }

  async #lookAtAll(): Promise<void> {
    const { deployments: store, ownDeployments } = this.#dependencies;
    const { records } = store;
    if (records.length === 0) return;
    const git = await openGit();
    this.#remotes ??= watchRemotes(git, () => void this.#update());
    // Git opens a repository before it reads it; until then, no deployment matches it.
    await Promise.allSettled(git.repositories.filter(isUnread).map((repository) => repository.status()));
    const built = new Map<GitRepository, Deployment[]>();
    for (const deployment of records) {
      const repository = await this.#repositoryIn(git, deployment);
      if (repository !== undefined) built.set(repository, [...(built.get(repository) ?? []), deployment]);
    }
    const ids = [...built.values()].flat().map(({ id }) => id);
    ownDeployments.remember(ids);
    this.#forgetOthers(new Set(ids));
    await this.#mark(built);
    this.#follow([...built.keys()]);
    for (const [repository, deployments] of built) {
      for (const deployment of deployments) await this.#compare(repository, deployment);
    }
  }

  /** A document of ours or a settings page says nothing about the code at hand, so the last file counts. */
  #lookAtFile(): void {
    const { main } = this;
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme === 'file') this.#activeFile = uri;
    if (this.main !== main) this.#marked.fire();
  }

  async #mark(built: ReadonlyMap<GitRepository, readonly Deployment[]>): Promise<void> {
    const choices = this.#choices();
    const mine = new Set<string>();
    const alternatives = new Map<string, readonly string[]>();
    const places: OwnDeployment[] = [];
    for (const [repository, deployments] of built) {
      const remoteUrls = await this.#dependencies.remoteAddresses.urlsOf(repository);
      const ids = await matchesOf(repository, remoteUrls, deployments);
      for (const id of chosenOf(ids, choices)) mine.add(id);
      for (const { id, configPath = '' } of deployments.map(deployedFrom)) {
        const { path: folder } = vscode.Uri.joinPath(repository.rootUri, dirname(configPath));
        if (ids.includes(id)) places.push({ id, isChosen: choices.includes(id), folder });
      }
      if (ids.length > 1) for (const id of ids) alternatives.set(id, ids);
    }
    const before = { mine: this.#mine ?? new Set(), alternatives: this.#alternatives, main: this.main };
    // The first comparison is news even if nothing matches.
    const isFirst = this.#mine === undefined;
    this.#mine = mine;
    this.#places = places;
    this.#alternatives = alternatives;
    const ids = new Set([...before.mine, ...mine, ...before.alternatives.keys(), ...alternatives.keys()]);
    const changed = [...ids].filter(
      (id) => before.mine.has(id) !== mine.has(id) || before.alternatives.has(id) !== alternatives.has(id),
    );
    if (isFirst || changed.length > 0 || this.main !== before.main) this.#marked.fire();
    for (const id of changed) this.#changed.fire(id);
  }

  async #compare(repository: GitRepository, deployment: Deployment): Promise<void> {
    const commit = this.#liveCommit(deployment);
    if (commit === undefined) {
      // The old comparison was about a revision that is no longer live.
      if (this.#known.delete(deployment.id)) this.#changed.fire(deployment.id);
      return;
    }
    const { HEAD } = repository.state;
    const key = JSON.stringify([commit, HEAD?.commit, HEAD?.ahead]);
    if (this.#known.get(deployment.id)?.key === key) return;
    // Loaded with the first comparison, to keep the start of VS Code fast.
    const { relationOf } = await import('./isolatedGit.ts');
    const { describeDrift } = await import('../../core/git/driftWords.ts');
    const relation = await relationOf(repository, commit);
    const drift = describeDrift(relation);
    const before = this.#known.get(deployment.id)?.drift;
    this.#known.set(deployment.id, { key: relation.kind === 'unknownCommit' ? undefined : key, drift });
    if (before !== drift) this.#changed.fire(deployment.id);
  }

  async #repositoryIn(git: GitApi, { source_config: config }: Deployment): Promise<GitRepository | undefined> {
    const url = config?.repo_url;
    if (url === undefined) return undefined;
    const open = git.repositories;
    const addresses = this.#dependencies.remoteAddresses;
    const urls = new Map(
      await Promise.all(open.map(async (repository) => [repository, await addresses.urlsOf(repository)] as const)),
    );
    const remotes = JSON.stringify([...urls.values()]);
    // URLs of the same repository must give the same object, because deployments are grouped by it.
    if (this.#found?.remotes !== remotes) this.#found = { remotes, repositories: urls, byUrl: new Map() };
    const { repositories, byUrl } = this.#found;
    if (!byUrl.has(url)) {
      byUrl.set(
        url,
        [...repositories].find(([, remoteUrls]) => remoteUrls.some((remote) => sameRepository(remote, url)))?.[0],
      );
    }
    return byUrl.get(url);
  }

  #liveCommit({ active_revision_id: active }: Deployment): string | undefined {
    const revision = active === undefined ? undefined : this.#dependencies.deployments.revision(active);
    return revisionCommit(revision);
  }

  /** Watches repositories with deployments, because a commit, checkout or push changes their comparison. */
  #follow(repositories: readonly GitRepository[]): void {
    const wanted = new Map(repositories.map((repository) => [repository.rootUri.toString(), repository]));
    for (const [root, { state }] of this.#followed) {
      if (wanted.has(root)) continue;
      state.dispose();
      this.#followed.delete(root);
    }
    for (const [root, repository] of wanted) {
      if (this.#followed.has(root)) continue;
      this.#followed.set(root, { repository, state: repository.state.onDidChange(() => void this.#update()) });
    }
  }

  /** Forgets deployments whose repository isn't open. */
  #forgetOthers(compared: ReadonlySet<string>): void {
    for (const id of [...this.#known.keys()].filter((known) => !compared.has(known))) {
      this.#known.delete(id);
      this.#changed.fire(id);
    }
  }

  #choices(): readonly string[] {
    return readTexts(this.#dependencies.workspaceMemory, this.#choiceSlot());
  }

  #choiceSlot(): string {
    return slotOfConnection('workspaceDeployment', this.#dependencies.connections.session);
  }
}

async function matchesOf(
  repository: GitRepository,
  remoteUrls: readonly string[],
  deployments: readonly Deployment[],
): Promise<readonly string[]> {
  const candidates = deployments.map(deployedFrom);
  const files = await existing(
    repository.rootUri,
    candidates.flatMap(({ configPath }) => configPath ?? []),
  );
  const checkedOut = checkedOutRef(repository, repository.state.HEAD?.upstream?.remote ?? '');
  const ref = checkedOut && deploymentRefText(checkedOut);
  return deploymentsOf({ remoteUrls, ref, hasFile: (path) => files.has(path) }, candidates);
}

/** The paths that exist below the root. */
async function existing(root: vscode.Uri, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = [...new Set(paths)].map(async (path) =>
    (await exists(vscode.Uri.joinPath(root, path))) ? [path] : [],
  );
  return new Set((await Promise.all(found)).flat());
}

/** True until git has read the branch or the remotes. */
function isUnread({ state }: GitRepository): boolean {
  return state.HEAD === undefined && state.remotes.length === 0;
}
