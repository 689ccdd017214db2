import type { DeploymentDraft } from './deploymentDraft.ts';

const options = ['listener', 'installCommand', 'buildCommand'] as const;

/** What few drafts need: a review shows it once it is set and offers it in one place until then. */
export type DraftOption = (typeof options)[number];

export function unsetOptions(draft: DeploymentDraft): readonly DraftOption[] {
  return options.filter((option) => draft[option] === undefined);
}
