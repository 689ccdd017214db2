import { shownAddress } from '../git/address.ts';
import { type DeploymentDraft, emptyDraft } from './draft.ts';
import { guardedFields, type GuardedField } from './fields.ts';
import { mayBeSecret } from './fieldValues.ts';

/** The fields of a draft whose values may contain a secret. */
export function secretFields(draft: DeploymentDraft): readonly GuardedField[] {
  const values: Partial<Record<GuardedField, unknown>> = draft;
  return guardedFields.filter((field) => mayBeSecret(field, values[field]));
}

/** Copies a draft without the values of its secrets and of the fields that may contain some. */
export function withoutSecrets(original: DeploymentDraft): DeploymentDraft {
  const secrets = original.secrets.map(({ name }) => ({ name, value: undefined }));
  const draft = { ...original, secrets, provenance: { ...original.provenance } };
  const empty: Partial<Record<GuardedField, unknown>> = emptyDraft(draft.source, draft.connectionName);
  for (const field of secretFields(original)) {
    Object.assign(draft, { [field]: empty[field] });
    delete draft.provenance[field];
  }
  if (draft.source === 'repohost') draft.repositoryUrl = shownAddress(draft.repositoryUrl);
  return draft;
}
