import * as l10n from '@vscode/l10n';
import { secretsIn } from '../../api/http/hideValues.ts';
import { shownAddress } from '../git/address.ts';
import type { DeploymentDraft } from './draft.ts';
import { finding, type Finding } from './findings.ts';
import { lineLabel, wirePaths } from './sources.ts';

const options = ['resourceSpec', 'customUrl', 'installCommand', 'buildCommand'] as const;

/** The fields that are left out if they may contain a secret. */
export const guardedFields = [...options, 'imageUri', 'tarballPath'] as const;

export type GuardedField = (typeof guardedFields)[number];

/** A draft without values that may be secret. */
export interface DraftWithoutSecrets {
  readonly draft: DeploymentDraft;
  /** The fields that were left out, because they may contain a secret. */
  readonly leftOut: readonly GuardedField[];
}

/** Copies a draft without the values of its secrets and without the fields that may contain some. */
export function withoutSecrets(original: DeploymentDraft): DraftWithoutSecrets {
  const secrets = original.secrets.map(({ name }) => ({ name, value: undefined }));
  const draft = { ...original, secrets, provenance: { ...original.provenance } };
  const leftOut: GuardedField[] = [];
  const isSafe = (field: GuardedField, value: unknown): boolean => {
    const name = wirePaths[field].split('.').at(-1) ?? field;
    if (secretsIn({ [name]: value }).length === 0) return true;
    leftOut.push(field);
    delete draft.provenance[field];
    return false;
  };
  for (const field of options) {
    if (!isSafe(field, draft[field])) draft[field] = undefined;
  }
  switch (draft.source) {
    case 'repohost':
      draft.repositoryUrl = shownAddress(draft.repositoryUrl);
      break;
    case 'external_docker':
    case 'internal_docker':
      if (!isSafe('imageUri', draft.imageUri)) draft.imageUri = '';
      break;
    case 'internal_source':
      if (!isSafe('tarballPath', draft.tarballPath)) draft.tarballPath = '';
      break;
    case 'internal_template':
  }
  return { draft, leftOut };
}

/** A warning on the line of each field that was left out. */
export function leftOutFindings(draft: DeploymentDraft, leftOut: readonly GuardedField[]): readonly Finding[] {
  return leftOut.map((field) => {
    const label = lineLabel(draft, field);
    const message = l10n.t('"{0}" was left out, because it may contain a secret. Enter it again.', label);
    return finding('warning', message, field);
  });
}
