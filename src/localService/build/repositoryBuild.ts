import { parseAppConfig } from '../../core/appConfig/appConfig.ts';
import { resolveRef } from '../git/refs.ts';
import type { LocalRepository, RegisteredRepositories } from '../git/repositories.ts';
import { GitError } from '../git/run.ts';
import { readBlob, readTree } from '../git/tree.ts';
import { findAppProblem } from './appCheck.ts';
import type { BuildOutcome, BuildRequest } from './outcome.ts';

const maxConfigBytes = 256 * 1024;

/**
 * Rehearses the build of a repository without touching the working copy or running its code.
 * The ref must exist in the published state that the clone knows. The config file in that commit must be readable and
 * name a graph whose file exists.
 */
export async function buildRepository(
  request: BuildRequest,
  repositories: RegisteredRepositories,
): Promise<BuildOutcome> {
  try {
    const repository = await repositories.find(request.repositoryUrl ?? '');
    if (repository === undefined) {
      return failed('The repository is not one of the folders that this local service knows. Open its folder again.');
    }
    return await buildFrom(repository, request);
  } catch (error) {
    if (error instanceof GitError) return failed(error.message);
    throw error;
  }
}

async function buildFrom(repository: LocalRepository, { config, signal }: BuildRequest): Promise<BuildOutcome> {
  const { git, remote } = repository;
  const ref = config.repo_ref ?? '';
  const path = (config.graph_config_path ?? '').replace(/^(?:\.\/)+/, '');
  const resolved = await resolveRef(git, config.repo_commit_sha ?? ref, remote, { signal });
  if (resolved === undefined) return failed(missingRef(ref, remote, config.repo_commit_sha));
  const withCommit = { ...config, repo_commit_sha: resolved.commit };
  const place = `${ref} (commit ${resolved.commit.slice(0, 7)})`;

  const [entry] = await readTree(git, resolved.commit, [path], { signal });
  if (entry === undefined) {
    return failed(`${path} does not exist in ${place}. Commit and push the file, or correct the path.`, withCommit);
  }
  if (entry.kind !== 'file') return failed(`${path} is a ${entry.kind} in ${place}, not a file.`, withCommit);
  if (entry.size > maxConfigBytes) {
    return failed(`${path} has ${entry.size} bytes; a config file has at most ${maxConfigBytes}.`, withCommit);
  }
  const text = await readBlob(git, entry.id, { signal, maxBytes: maxConfigBytes });
  const problem = await findAppProblem(parseAppConfig(text, path), async (paths) => {
    const found = await readTree(git, resolved.commit, paths, { signal });
    return found.filter(({ kind }) => kind === 'file').map((file) => file.path);
  });
  return problem === undefined ? { kind: 'built', config: withCommit } : failed(problem, withCommit);
}

function missingRef(ref: string, remote: string | undefined, commit: string | null): string {
  if (commit !== null) return `Commit ${commit.slice(0, 7)} of ${ref} is no longer in any branch or tag.`;
  const known = 'as far as this computer knows. Push it, or fetch to update what is known.';
  return remote === undefined
    ? `There is no branch, tag or commit "${ref}" in the repository.`
    : `The remote ${remote} has no branch, tag or commit "${ref}", ${known}`;
}

function failed(reason: string, config?: BuildRequest['config']): BuildOutcome {
  return config === undefined ? { kind: 'failed', reason } : { kind: 'failed', reason, config };
}
