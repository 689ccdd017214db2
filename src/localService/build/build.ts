import { largestConfig, tooLargeConfig } from '../../core/appConfig/appConfig.ts';
import type { IsAbsent } from '../../core/appConfig/graphFiles.ts';
import { imageReferenceProblem } from '../../core/spec/imageReference.ts';
import { GitError } from '../../git/git.ts';
import type { Git } from '../../git/git.ts';
import { readText, readTree } from '../../git/tree.ts';
import { resolveRef } from '../git/refs.ts';
import type { LocalRepository, RegisteredRepositories } from '../git/repositories.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { checkApp, configPathOf } from './outcome.ts';
import type { AppCheck, BuildOutcome, BuildRequest, Note } from './outcome.ts';
import { buildTarball } from './tarballBuild.ts';

/**
 * Rehearses a revision's build according to its source, without running its code or fetching anything.
 * `note` gets what it does, step by step, for the build's log.
 */
export type Build = (request: BuildRequest, note: Note) => Promise<BuildOutcome>;

export function createBuild(repositories: RegisteredRepositories, uploadsFolder: string): Build {
  return async (request, note) => {
    switch (request.source) {
      case 'repohost':
        return buildRepository(request, repositories, note);
      case 'internal_source':
        return buildTarball(request, uploadsFolder, note);
      case 'external_docker':
        return { config: request.config, problem: imageReferenceProblem(request.config.image_uri ?? '') };
      default:
        // Pushed images and templates live in a service that this one can't reach.
        return { config: request.config, problem: undefined };
    }
  };
}

/**
 * Rehearses the build of a repository without touching the working copy or running its code.
 * The ref must exist in the published state that the clone knows. The config file in that commit must be readable, and
 * the files of its graphs must exist.
 */
async function buildRepository(
  request: BuildRequest,
  repositories: RegisteredRepositories,
  note: Note,
): Promise<BuildOutcome> {
  const { config } = request;
  try {
    const { repository } = await repositories.find(request.repositoryUrl ?? '');
    if (repository !== undefined) return await buildFrom(repository, request, note);
    const problem = "The local service doesn't know this repository. Open its folder again.";
    return { config, problem };
  } catch (error) {
    if (error instanceof GitError) return { config, problem: error.message };
    throw error;
  }
}

async function buildFrom(repository: LocalRepository, { config }: BuildRequest, note: Note): Promise<BuildOutcome> {
  const { git, remote } = repository;
  const ref = config.repo_ref ?? '';
  note(`Repository: ${repository.owner}/${repository.name}`);
  note(`Ref: ${ref}`);
  const resolved = await resolveRef(repository, config.repo_commit_sha ?? ref);
  if (resolved === undefined) return { config, problem: missingRef(ref, remote, config.repo_commit_sha) };
  note(`Commit: ${resolved.commit}`);
  const withCommit = { ...config, repo_commit_sha: resolved.commit };
  return { config: withCommit, ...(await checkCommit(git, withCommit, note)) };
}

async function checkCommit(
  git: Git,
  config: RevisionConfig & { readonly repo_commit_sha: string },
  note: Note,
): Promise<AppCheck> {
  const { repo_ref: ref, repo_commit_sha: commit } = config;
  const path = configPathOf(config);
  const place = `${ref ?? ''} (commit ${commit.slice(0, 7)})`;
  const entry = await readText(git, commit, path, largestConfig);
  if (entry === undefined) {
    return { problem: `${path} doesn't exist in ${place}. Commit and push the file, or correct the path.` };
  }
  if (entry.kind !== 'file') return { problem: `${path} is a ${entry.kind} in ${place}, not a file.` };
  if (entry.text === undefined) return { problem: tooLargeConfig(path).message };
  const lookUp = async (paths: readonly string[]): Promise<IsAbsent> => {
    const found = await readTree(git, commit, paths);
    return (needed, kind) => found.get(needed)?.kind !== kind;
  };
  return checkApp({ text: entry.text, path }, lookUp, note);
}

function missingRef(ref: string, remote: string | undefined, commit: string | null): string {
  if (commit !== null) return `Commit ${commit.slice(0, 7)} of ${ref} is no longer in any branch or tag.`;
  return remote === undefined
    ? `The repository has no branch, tag or commit "${ref}".`
    : `As of the last fetch, the remote ${remote} has no branch, tag or commit "${ref}". Push it, or fetch.`;
}
