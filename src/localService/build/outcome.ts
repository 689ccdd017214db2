import type { RevisionConfig } from '../store/revisions.ts';

/** How a build ended. A reason tells the user in a sentence or two what is wrong and what to do. */
export type BuildOutcome =
  | { readonly kind: 'built'; readonly config: RevisionConfig }
  | { readonly kind: 'failed'; readonly reason: string; readonly config?: RevisionConfig };

/** The input of a build: the revision's config and values of its deployment. */
export interface BuildRequest {
  readonly source: string;
  readonly config: RevisionConfig;
  /** `source_config.repo_url` of the deployment. */
  readonly repositoryUrl: string | null;
  readonly signal: AbortSignal;
}
