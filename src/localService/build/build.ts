import { imageReferenceProblem } from '../../core/spec/imageReference.ts';
import type { RegisteredRepositories } from '../git/repositories.ts';
import type { BuildOutcome, BuildRequest } from './outcome.ts';
import { buildRepository } from './repositoryBuild.ts';
import { buildTarball } from './tarballBuild.ts';

/** Rehearses a revision's build according to its source, without running its code or fetching anything. */
export type Build = (request: BuildRequest) => Promise<BuildOutcome>;

export function createBuild(repositories: RegisteredRepositories, uploadsFolder: string): Build {
  return async (request) => {
    switch (request.source) {
      case 'repohost':
        return buildRepository(request, repositories);
      case 'internal_source':
        return buildTarball(request, uploadsFolder);
      case 'external_docker':
        return { config: request.config, problem: imageReferenceProblem(request.config.image_uri ?? '') };
      default:
        // Pushed images and templates live in a service that this one can't reach.
        return { config: request.config, problem: undefined };
    }
  };
}
