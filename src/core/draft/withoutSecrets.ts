import * as l10n from '@vscode/l10n';
import { shownAddress } from '../git/address.ts';
import { type DeploymentDraft, emptyDraft } from './draft.ts';
import { finding, type Finding } from './findings.ts';
import { guardedFields, type GuardedField } from './fields.ts';
import { mayBeSecret } from './fieldValues.ts';
import { lineLabel } from './sources.ts';

/** A draft without values that may be secret. */
interface DraftWithoutSecrets {
  readonly draft: DeploymentDraft;
  /** The fields that were left out, because they may contain a secret. */
  readonly leftOut: readonly GuardedField[];
}

/** Copies a draft without the values of its secrets and without the fields that may contain some. */
export function withoutSecrets(original: DeploymentDraft): DraftWithoutSecrets {
  const secrets = original.secrets.map(({ name }) => ({ name, value: undefined }));
  const draft = { ...original, secrets, provenance: { ...original.provenance } };
  const values: Partial<Record<GuardedField, unknown>> = draft;
  const leftOut = guardedFields.filter((field) => mayBeSecret(field, values[field]));
  const empty: typeof values = emptyDraft(draft.source, draft.connectionName);
  for (const field of leftOut) {
    Object.assign(draft, { [field]: empty[field] });
    delete draft.provenance[field];
  }
  if (draft.source === 'repohost') draft.repositoryUrl = shownAddress(draft.repositoryUrl);
  return { draft, leftOut };
}

/**
 * What is said on the line of each field that was left out.
 * @param stays whether the deployment itself is changed, which then keeps its value
 */
export function leftOutFindings(
  draft: DeploymentDraft,
  leftOut: readonly GuardedField[],
  stays: boolean,
): readonly Finding[] {
  return leftOut.map((field) => {
    const label = lineLabel(draft, field);
    const message = stays
      ? l10n.t(
          '"{0}" isn\'t shown, because it may contain a secret. Unless you enter another value, it stays as it is on the service.',
          label,
        )
      : l10n.t('"{0}" was left out, because it may contain a secret. Enter it again.', label);
    return finding(stays ? 'info' : 'warning', message, field);
  });
}
