import * as l10n from '@vscode/l10n';
import { nameFor } from './deploymentName.ts';
import type { DeploymentDraft } from './draft.ts';
import { fieldsOf, rememberedFields, type DraftField } from './fields.ts';
import { finding, type Finding } from './findings.ts';
import { lineLabel } from './sources.ts';
import type { DeploymentRef } from '../git/deploymentRef.ts';

/** What the user chose for the last deployment from the same place: the same config file, folder or source. */
export interface LastChoices {
  /** The last draft, without the values of its secrets. */
  readonly draft: DeploymentDraft;
  /** The fields that it had and that were not kept, because they may contain a secret. */
  readonly leftOut?: readonly DraftField[] | undefined;
  /** The branch or tag that was chosen. Undefined for whatever is checked out. */
  readonly ref?: DeploymentRef | undefined;
}

/**
 * Gives a new draft the choices of the last deployment from its place, or from another config file of its repository.
 * @returns findings about what was not kept
 */
export function chooseAsLastTime(
  draft: DeploymentDraft,
  { draft: last, ref, leftOut = [] }: LastChoices,
): readonly Finding[] {
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
    const isOpen = draft.configPath === '' || draft.provenance.configPath?.kind === 'suggested';
    if (isOpen) Object.assign(draft, { configPath: last.configPath });
    if (isOpen) draft.provenance.configPath = lastTime;
  }
  // A name that was only suggested is suggested again, without the number that made it free.
  const isSuggested = last.provenance.name?.kind === 'suggested';
  if (isSuggested && draft.name === '') draft.name = nameFor(draft);
  if (!isSuggested || draft.name === '') draft.name = last.name;
  draft.provenance.name = isSuggested ? { kind: 'suggested' } : lastTime;
  const findings = leftOut.map((field) =>
    finding(
      'warning',
      l10n.t('"{0}" wasn\'t kept from the last deployment, because it may contain a secret.', lineLabel(draft, field)),
      field,
    ),
  );
  if (draft.source !== 'repohost' || last.source !== 'repohost') return findings;
  // One that was found is found again.
  if (['user', 'lastTime'].includes(last.provenance.integrationId?.kind ?? '')) {
    draft.integrationId = last.integrationId;
    draft.provenance.integrationId = lastTime;
  }
  if (ref === undefined) return findings;
  draft.ref = ref;
  draft.provenance.ref = lastTime;
  return findings;
}
