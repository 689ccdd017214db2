import { parseGitRemote, sameRepository } from '../git/remote.ts';
import { forgetListener, type DeploymentDraft, type Provenance } from './draft.ts';
import type { DraftWithFindings } from './findings.ts';
import { sourceFacts } from './sources.ts';
import { type DraftWithoutSecrets, leftOutFindings } from './withoutSecrets.ts';

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
  return remote === undefined
    ? sourceFacts[draft.source].title()
    : remote.owner === ''
      ? remote.name
      : `${remote.owner}/${remote.name}`;
}
