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

/**
 * Explains what is wrong with an image reference; undefined when it is well formed.
 * The form is `[host[:port]/]path[:tag][@algorithm:digest]`. Doesn't check that the image exists.
 */
function imageReferenceProblem(reference: string): string | undefined {
  if (reference.length > maxLength) return `The image reference is longer than ${maxLength} characters.`;
  if (imageReference.test(reference)) return undefined;
  if (/^[a-z]+:\/\//i.test(reference)) return 'The image reference can\'t begin with a scheme such as "https://".';
  if (/\s/.test(reference)) return "The image reference can't contain spaces.";
  return 'The image reference must look like "registry.example/name:tag", with the name in lowercase.';
}

const maxLength = 512;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const host = String.raw`(?:${label}(?:\.${label})*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?`;
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const tag = String.raw`[A-Za-z0-9_][\w.-]{0,127}`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const imageReference = new RegExp(`^(?:${host}/)?${component}(?:/${component})*(?::${tag})?(?:@${digest})?$`);
