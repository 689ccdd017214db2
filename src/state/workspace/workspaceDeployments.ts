import { dirname, join } from 'node:path/posix';
import {
  chosenOf,
  mainOf,
  type OpenRepository,
  type OwnDeployment,
  ownOf,
  withChoice,
} from '../../core/git/workspaceDeployment.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { Session } from '../connections/session.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import { type Memory, readTexts } from '../memory.ts';
import type { OwnDeployments } from './ownDeployments.ts';

interface WorkspaceDeploymentsDependencies {
  readonly connections: PresentConnection;
  readonly ownDeployments: Pick<OwnDeployments, 'remember'>;
  readonly workspaceMemory: Memory;
}

/** An own deployment and all that fit its repository as well, itself included. */
interface Match extends Omit<OwnDeployment, 'isChosen'> {
  readonly alternatives: readonly string[];
}

/**
 * Whose deployment this is: which deployments of the connection belong to the open repositories, and which of them the
 * user means. Others read git and the editor, and report here what they found.
 */
export class WorkspaceDeployments {
  readonly #dependencies: WorkspaceDeploymentsDependencies;
  readonly #subscription: Disposable;
  readonly #marked = new Emitter<void>();
  /** By id. Undefined until git has been read for this connection. */
  #matches: ReadonlyMap<string, Match> | undefined;
  /** The user's choices, as of the last mark. */
  #choices: readonly string[] = [];
  #activePath: string | undefined;
  /** What the last mark said. */
  #told: string | undefined;

  /** Fires when other deployments are the workspace's own, or may be, and when another one is the main one. */
  readonly onDidMark = this.#marked.event;

  constructor(dependencies: WorkspaceDeploymentsDependencies) {
    this.#dependencies = dependencies;
    this.#subscription = dependencies.connections.onDidChange(() => {
      this.#matches = undefined;
      this.#told = undefined;
    });
  }

  /** All deployments that fit the open repositories, also those not chosen. Undefined until git has been read. */
  get own(): ReadonlySet<string> | undefined {
    return this.#matches && new Set(this.#matches.keys());
  }

  /** The one of them to show while none changes. Undefined if several fit equally. */
  get main(): string | undefined {
    const own = [...(this.#matches?.values() ?? [])];
    const marked = own.map((match) => ({ ...match, isChosen: this.#choices.includes(match.id) }));
    return mainOf(marked, this.#activePath, process.platform);
  }

  /** Whether this is known to be the deployment of the open repository. */
  isOfWorkspace(deploymentId: string): boolean {
    const { alternatives = [] } = this.#matches?.get(deploymentId) ?? {};
    return chosenOf(alternatives, this.#choices).includes(deploymentId);
  }

  /** Whether several deployments fit the open repository, so only the user can tell which one is meant. */
  hasAlternatives(deploymentId: string): boolean {
    return (this.#matches?.get(deploymentId)?.alternatives.length ?? 0) > 1;
  }

  /** Takes what git has read for the deployments of a connection, unless another one counts by now. */
  match(session: Session, repositories: readonly OpenRepository[]): void {
    const { connections, ownDeployments } = this.#dependencies;
    if (session !== connections.session) return;
    const matches = repositories.flatMap((repository) => {
      const own = ownOf(repository);
      const alternatives = own.map(({ id }) => id);
      return own.map(({ id, source_revision_config: config }): Match => {
        return { id, alternatives, folder: join(repository.root, dirname(config?.graph_config_path ?? '')) };
      });
    });
    this.#matches = new Map(matches.map((match) => [match.id, match]));
    ownDeployments.remember(repositories.flatMap(({ deployments }) => deployments.map(({ id }) => id)));
    this.#mark();
  }

  /** Remembers the user's choice among several deployments of the open repository. */
  async choose(deploymentId: string): Promise<void> {
    const { alternatives = [] } = this.#matches?.get(deploymentId) ?? {};
    if (alternatives.length < 2) return;
    const { workspaceMemory } = this.#dependencies;
    const before = readTexts(workspaceMemory, this.#slot);
    await workspaceMemory.update(this.#slot, withChoice(before, deploymentId, alternatives));
    this.#mark();
  }

  /** Forgets the user's choice of a deployment that is being deleted. */
  async forget(deploymentId: string): Promise<void> {
    const { workspaceMemory } = this.#dependencies;
    const before = readTexts(workspaceMemory, this.#slot);
    if (!before.includes(deploymentId)) return;
    const left = before.filter((id) => id !== deploymentId);
    await workspaceMemory.update(this.#slot, left);
    this.#mark();
  }

  /** Takes the path of the file that the user is looking at. */
  setActiveFile(path: string): void {
    this.#activePath = path;
    this.#mark();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#marked.dispose();
  }

  #mark(): void {
    if (this.#matches === undefined) return;
    this.#choices = readTexts(this.#dependencies.workspaceMemory, this.#slot);
    const told = JSON.stringify([[...this.#matches.values()], this.#choices, this.main]);
    if (told === this.#told) return;
    this.#told = told;
    this.#marked.fire();
  }

  get #slot(): string {
    return slotOfConnection('workspaceDeployment', this.#dependencies.connections.session);
  }
}
