import type { DeploymentDraft } from './draft.ts';
import { fieldsOf, rememberedFields, type DraftField } from './fields.ts';
import type { DeploymentRef } from '../git/deploymentRef.ts';

/** What the user chose for the last deployment from the same place: the same config file, folder or source. */
export interface LastChoices {
  /** The last draft, without the values of its secrets. */
  readonly draft: DeploymentDraft;
  /** The branch or tag that was chosen. Undefined for whatever is checked out. */
  readonly ref?: DeploymentRef | undefined;
}

/** Gives a new draft the choices of the last deployment from its place, or from another config file of its repository. */
export function chooseAsLastTime(draft: DeploymentDraft, { draft: last, ref }: LastChoices): void {
  const lastTime = { kind: 'lastTime' } as const;
  const values: Partial<Record<DraftField, unknown>> = last;
  const fields = fieldsOf(draft);
  for (const field of rememberedFields.filter((each) => fields.includes(each))) {
    const value = values[field];
    Object.assign(draft, { [field]: value });
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
    if (value !== undefined && !isEmpty) draft.provenance[field] = lastTime;
  }
  draft.secrets = last.secrets.map(({ name }) => ({ name, value: undefined }));
  if (last.secrets.length > 0) draft.provenance.secrets = lastTime;
  if ('configPath' in draft && 'configPath' in last && draft.configPath !== last.configPath) {
    draft.configPath = last.configPath;
    draft.provenance.configPath = lastTime;
  }
  // A name that was only suggested is suggested again, without the number that made it free.
  if (last.provenance.name?.kind !== 'suggested') {
    draft.name = last.name;
    draft.provenance.name = lastTime;
  }
  if (draft.source !== 'repohost' || last.source !== 'repohost') return;
  // One that was found is found again.
  if (['user', 'lastTime'].includes(last.provenance.integrationId?.kind ?? '')) {
    draft.integrationId = last.integrationId;
    draft.provenance.integrationId = lastTime;
  }
  if (ref === undefined) return;
  draft.ref = ref;
  draft.provenance.ref = lastTime;
}
