import type { RevisionConfig } from '../store/revisions.ts';

/** How a build ended. A reason is a sentence or two for a person: what is wrong and what to do. */
export type BuildOutcome =
  | { readonly kind: 'built'; readonly config: RevisionConfig }
  | { readonly kind: 'failed'; readonly reason: string; readonly config?: RevisionConfig };

/** What is built: a revision's own values and the ones of its deployment. */
export interface BuildRequest {
  readonly source: string;
  readonly config: RevisionConfig;
  /** `source_config.repo_url` of the deployment. */
  readonly repositoryUrl: string | null;
  readonly signal: AbortSignal;
}
