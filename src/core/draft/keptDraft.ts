import * as l10n from '@vscode/l10n';
import { shownAddress } from '../git/address.ts';
import { type DeploymentDraft, emptyDraft, forgetListener, type Provenance } from './draft.ts';
import { finding, type Finding, type DraftWithFindings } from './findings.ts';
import { guardedFields, mayBeSecret, type GuardedField } from './fields.ts';
import { lineLabel, sourceFacts } from './sources.ts';
import { parseGitRemote, sameRepository } from '../git/remote.ts';
import { repositoryTitle } from '../git/repositories.ts';

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

/** A warning on the line of each field that was left out. */
export function leftOutFindings(draft: DeploymentDraft, leftOut: readonly GuardedField[]): readonly Finding[] {
  return leftOut.map((field) => {
    const label = lineLabel(draft, field);
    const message = l10n.t('"{0}" was left out, because it may contain a secret. Enter it again.', label);
    return finding('warning', message, field);
  });
}

/**
 * A kept draft as the continuation of a new one, on the new one's connection.
 * The listener and the integration stay behind if they belong to another connection. Resources that the user has just
 * chosen in the form replace the kept ones, and secrets that the new draft has give the kept ones their values.
 */
export function continued({ draft: kept, leftOut }: DraftWithoutSecrets, present: DeploymentDraft): DraftWithFindings {
  const { connectionName, resourceSpec = kept.resourceSpec } = present;
  const secrets = kept.secrets.map((secret) => present.secrets.find(({ name }) => name === secret.name) ?? secret);
  const { resourceSpec: chosen } = present.provenance;
  const provenance = { ...kept.provenance, ...(chosen && { resourceSpec: chosen }) };
  const draft = { ...kept, connectionName, resourceSpec, secrets, provenance };
  const isElsewhere = kept.connectionName !== connectionName;
  const forgotten = isElsewhere ? forgetListener(draft) : [];
  if (draft.source === 'repohost' && (isElsewhere || draft.integrationId === '')) {
    const isSame = present.source === 'repohost' && sameRepository(present.repositoryUrl, draft.repositoryUrl);
    draft.integrationId = isSame ? present.integrationId : '';
    draft.integrationName = isSame ? present.integrationName : undefined;
  }
  const missing = leftOut.filter((field) => field !== 'resourceSpec' || resourceSpec === undefined);
  return { draft, findings: [...forgotten, ...leftOutFindings(draft, missing)] };
}

const ofUser: ReadonlySet<Provenance['kind']> = new Set(['user', 'form', 'copy']);

/** Whether a draft holds anything that the user would have to enter again. */
export function hasInput({ provenance }: DeploymentDraft): boolean {
  return Object.values(provenance).some(({ kind }) => ofUser.has(kind));
}

/** What to call a draft: its name, else the repository or the source. */
export function draftTitle(draft: DeploymentDraft): string {
  if (draft.name !== '') return draft.name;
  const remote = draft.source === 'repohost' ? parseGitRemote(draft.repositoryUrl) : undefined;
  return remote === undefined ? sourceFacts[draft.source].title() : repositoryTitle(remote);
}
