import type { RepositoryDraft } from './draft.ts';
import { rememberedFields } from './fields.ts';
import type { DeploymentRef } from '../git/deploymentRef.ts';

/** What the user chose for the last deployment from a config file. */
export interface LastChoices {
  /** The last draft, without the values of its secrets. */
  readonly draft: RepositoryDraft;
  /** The branch or tag that was chosen. Undefined for whatever is checked out. */
  readonly ref: DeploymentRef | undefined;
}

/** Gives a new draft the choices of the last deployment from its config file, or from another one of its repository. */
export function chooseAsLastTime(draft: RepositoryDraft, { draft: last, ref }: LastChoices): void {
  const lastTime = { kind: 'lastTime' } as const;
  const taken = Object.fromEntries(rememberedFields.map((field) => [field, last[field]]));
  Object.assign(draft, taken, { secrets: last.secrets.map(({ name }) => ({ name, value: undefined })) });
  for (const field of rememberedFields) if (last[field] !== undefined) draft.provenance[field] = lastTime;
  if (draft.configPath !== last.configPath) {
    draft.configPath = last.configPath;
    draft.provenance.configPath = lastTime;
  }
  // A name that was only suggested is suggested again, without the number that made it free.
  if (last.provenance.name?.kind !== 'suggested') {
    draft.name = last.name;
    draft.provenance.name = lastTime;
  }
  // One that was found is found again.
  if (['user', 'lastTime'].includes(last.provenance.integrationId?.kind ?? '')) {
    draft.integrationId = last.integrationId;
    draft.provenance.integrationId = lastTime;
  }
  if (last.secrets.length > 0) draft.provenance.secrets = lastTime;
  if (ref === undefined) return;
  draft.ref = ref;
  draft.provenance.ref = lastTime;
}
