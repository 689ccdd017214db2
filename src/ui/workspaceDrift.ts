import * as vscode from 'vscode';
import type { Deployment } from '../api/deployments.ts';
import { describeDrift, type CommitRelation, type Drift } from '../core/drift.ts';
import { sameRepository } from '../core/gitRemote.ts';
import type { Connections } from '../state/connections.ts';
import type { Deployments } from '../state/deployments.ts';
import { readableRows } from '../state/pagedList.ts';
import { openGit, type GitRepository } from './gitExtension.ts';

export interface WorkspaceDriftDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly log: vscode.LogOutputChannel;
}

interface Known {
  /** What the answer belongs to: the live commit and the state of the branch. */
  readonly key: string;
  readonly drift: Drift | undefined;
}

/**
 * How what is live relates to the branch that is open here, for the deployments that are built from an open
 * repository. It reads local git only, when a list is shown and the folder is trusted; nothing is fetched.
 */
export class WorkspaceDrift {
  readonly #dependencies: WorkspaceDriftDependencies;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #known = new Map<string, Known>();
  readonly #repositories = new Map<GitRepository, vscode.Disposable>();
  readonly #subscription: vscode.Disposable;
  #updating = false;
  #again = false;

  /** Fires with the id of the deployment whose relation changed. */
  readonly onDidChange = this.#changed.event;

  constructor(dependencies: WorkspaceDriftDependencies) {
    this.#dependencies = dependencies;
    const update = (): void => void this.#update();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      dependencies.deployments.onDidChange(update),
      dependencies.connections.onDidChange(() => this.#known.clear()),
      vscode.workspace.onDidGrantWorkspaceTrust(update),
    );
  }

  of(deploymentId: string): Drift | undefined {
    return this.#known.get(deploymentId)?.drift;
  }

  /** Reads the state of the open repositories anew, for a person who asked for it. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#repositories.keys()].map((repository) => repository.status()));
    await this.#update();
  }

  /** The open repository that a deployment is built from. */
  async repositoryOf(deployment: Deployment): Promise<GitRepository | undefined> {
    const url = deployment.source_config?.repo_url;
    if (url === undefined) return undefined;
    const git = await openGit();
    return git.repositories.find(({ state }) =>
      state.remotes.some(({ fetchUrl }) => fetchUrl !== undefined && sameRepository(fetchUrl, url)),
    );
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const subscription of this.#repositories.values()) subscription.dispose();
  }

  /** One pass at a time; what changes meanwhile is looked at in the next one. */
  async #update(): Promise<void> {
    if (!vscode.workspace.isTrusted || !(vscode.workspace.workspaceFolders ?? []).some(isOnDisk)) return;
    if (this.#updating) {
      this.#again = true;
      return;
    }
    this.#updating = true;
    do {
      this.#again = false;
      await this.#lookAtAll();
    } while (this.#again);
    this.#updating = false;
  }

  async #lookAtAll(): Promise<void> {
    const { deployments, log } = this.#dependencies;
    for (const deployment of readableRows(deployments.state.rows)) {
      try {
        await this.#lookAt(deployment);
      } catch (error) {
        // Without git there is nothing to compare with; the list is complete without it.
        log.debug('The open repository cannot be compared.', error);
        return;
      }
    }
  }

  async #lookAt(deployment: Deployment): Promise<void> {
    const commit = this.#liveCommit(deployment);
    const repository = commit === undefined ? undefined : await this.repositoryOf(deployment);
    if (commit === undefined || repository === undefined) return;
    this.#follow(repository);
    const { HEAD } = repository.state;
    const key = JSON.stringify([commit, HEAD?.commit, HEAD?.ahead]);
    if (this.#known.get(deployment.id)?.key === key) return;
    const drift = describeDrift(await relationOf(repository, commit));
    this.#known.set(deployment.id, { key, drift });
    this.#changed.fire(deployment.id);
  }

  #liveCommit({ active_revision_id: active }: Deployment): string | undefined {
    const revision = active === undefined ? undefined : this.#dependencies.deployments.revision(active);
    return revision?.source_revision_config?.repo_commit_sha;
  }

  /** A commit, a checkout or a push changes the relation. */
  #follow(repository: GitRepository): void {
    if (this.#repositories.has(repository)) return;
    this.#repositories.set(
      repository,
      repository.state.onDidChange(() => void this.#update()),
    );
  }
}

const mostCounted = 1000;

async function relationOf(repository: GitRepository, commit: string): Promise<CommitRelation> {
  const isKnown = await repository.getCommit(commit).then(
    () => true,
    () => false,
  );
  if (!isKnown) return { kind: 'unknownCommit', commit };
  const count = async (range: string): Promise<number> =>
    (await repository.log({ range, maxEntries: mostCounted })).length;
  const [ahead, behind] = await Promise.all([count(`HEAD..${commit}`), count(`${commit}..HEAD`)]);
  return { kind: 'known', commit, ahead, behind, unpushed: repository.state.HEAD?.ahead ?? 0 };
}

function isOnDisk({ uri }: vscode.WorkspaceFolder): boolean {
  return uri.scheme === 'file';
}
