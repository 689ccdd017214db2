import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Lifecycle } from '../lifecycle.ts';
import type { DeploymentTable, PushedDeployment } from '../store/deployments.ts';
import { fullNames, resolveRef } from './refs.ts';
import type { LocalRepository, RegisteredRepositories } from './repositories.ts';
import { GitError } from '../../git/git.ts';

export interface PushWatcherParts {
  readonly deployments: DeploymentTable;
  readonly repositories: RegisteredRepositories;
  readonly lifecycle: Lifecycle;
  /** The time between checks, in milliseconds. */
  readonly intervalMilliseconds: number;
  readonly onError: (error: unknown) => void;
}

/** The files that hold a ref, and a fingerprint of their state when git last read it. */
interface Watched {
  /** The repository's address and the ref, which an update can change. */
  readonly target: string;
  readonly files: readonly string[];
  readonly fingerprint: string;
}

/**
 * Creates a revision when the ref of a deployment with `build_on_push` moves.
 * A push from this computer or a fetch moves it. After the first check, git runs only when the files that hold the ref
 * have changed.
 */
export class PushWatcher {
  readonly #parts: PushWatcherParts;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #checking = Promise.resolve();
  #stopped = false;

  constructor(parts: PushWatcherParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#checkAgain(), this.#parts.intervalMilliseconds);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
  }

  /** Checks all refs once, after any running check, which may have missed a recent change. */
  async check(): Promise<void> {
    this.#checking = this.#checking.then(async () => this.#checkAll()).catch(this.#parts.onError);
    return this.#checking;
  }

  async #checkAgain(): Promise<void> {
    await this.check();
    if (!this.#stopped) this.start();
  }

  async #checkAll(): Promise<void> {
    for (const deployment of this.#parts.deployments.builtOnPush()) {
      if (this.#stopped) return;
      await this.#checkOne(deployment);
    }
  }

  async #checkOne({ id, repositoryUrl, latestConfig, knownTip }: PushedDeployment): Promise<void> {
    const known = this.#watched.get(id);
    const ref = latestConfig.repo_ref ?? '';
    const target = `${repositoryUrl}\n${ref}`;
    if (known?.target === target && known.fingerprint === (await this.#fingerprint(known.files))) return;
    // Without an answer from git, the next check has to ask again.
    this.#watched.delete(id);
    try {
      const { repository, isCertain } = await this.#parts.repositories.find(repositoryUrl);
      const files = repository === undefined ? [] : await refFiles(repository, ref);
      // Taken before git runs, so the next check notices a push in between.
      const fingerprint = await this.#fingerprint(files);
      const resolved = repository && (await resolveRef(repository, ref));
      if (resolved?.fullName !== undefined && resolved.commit !== knownTip) {
        this.#parts.lifecycle.push(id, { ...latestConfig, repo_commit_sha: resolved.commit });
      }
      if (isCertain) this.#watched.set(id, { target, files, fingerprint });
    } catch (error) {
      // The build of a revision reports git errors to the user.
      if (!(error instanceof GitError)) throw error;
    }
  }

  async #fingerprint(files: readonly string[]): Promise<string> {
    const states = await Promise.all(files.map(fileState));
    return [...this.#parts.repositories.folders(), ...states].join('|');
  }
}

/** Lists the files that change when a ref moves: its own file, the packed refs, and the reftable list. */
async function refFiles(repository: LocalRepository, ref: string): Promise<string[]> {
  const { git } = repository;
  // All worktrees of a repository share the folder with its refs.
  const refsFolder = path.resolve(git.folder, (await git.run(['rev-parse', '--git-common-dir'])).trim());
  return [...fullNames(ref, repository), 'packed-refs', 'reftable/tables.list'].map((name) =>
    path.join(refsFolder, name),
  );
}

async function fileState(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return 'absent';
  }
}
