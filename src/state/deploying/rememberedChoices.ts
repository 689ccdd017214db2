import * as z from 'zod';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import type { LastChoices } from '../../core/draft/asLastTime.ts';
import { provenanceKinds, type RepositoryDraft } from '../../core/draft/draft.ts';
import { plainFields } from '../../core/draft/fields.ts';
import { isSwitch } from '../../core/draft/fieldValues.ts';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import { withoutSecrets } from '../../core/draft/withoutSecrets.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { ReadySession } from '../connections/session.ts';
import type { Memory } from '../memory.ts';

/** More config files than a workspace has. */
const mostChoices = 50;

const text = z.string().max(10_000);
const provenance = z.object({ kind: z.enum(provenanceKinds), name: text.optional() });
/** A stored draft of a repository. */
const draftShape = z.object({
  ...Object.fromEntries(plainFields.map((field) => [field, (isSwitch(field) ? z.boolean() : text).optional()])),
  connectionName: text,
  name: text,
  deploymentType: text,
  secrets: z.array(z.object({ name: text }).transform(({ name }) => ({ name, value: undefined }))),
  resourceSpec: resourceSpecWire.optional(),
  listener: z.object({ id: text, name: text, namespaces: z.array(text) }).optional(),
  kubernetesNamespace: text.optional(),
  provenance: z.record(z.string(), provenance),
  source: z.literal('repohost'),
  integrationId: text,
  repositoryUrl: text,
  ref: z.object({ kind: z.enum(['branch', 'tag', 'commit']), name: text }),
  configPath: text,
  buildOnPush: z.boolean(),
});
const choicesShape = z.object({
  draft: draftShape,
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string().max(10_000) }).optional(),
});

/**
 * The choices of the last deployment from a draft's config file on a connection; from another one of its repository if the
 * draft's is only suggested.
 */
export function lastChoices(
  memory: Memory,
  session: ReadySession,
  { repositoryUrl, configPath, provenance }: Pick<RepositoryDraft, 'repositoryUrl' | 'configPath' | 'provenance'>,
): LastChoices | undefined {
  const ofRepository = storedChoices(memory, session).filter(({ draft }) =>
    sameRepository(draft.repositoryUrl, repositoryUrl),
  );
  const isSuggested = provenance.configPath?.kind === 'suggested';
  return (
    ofRepository.find(({ draft }) => draft.configPath === configPath) ?? (isSuggested ? ofRepository[0] : undefined)
  );
}

/**
 * Remembers the choices of a deployment that was created, without values that may be secret.
 * @param checkedOut the branch at that time; if it was deployed, the next deployment takes the branch of its time
 */
export async function rememberChoices(
  memory: Memory,
  session: ReadySession,
  draft: RepositoryDraft,
  checkedOut: DeploymentRef | undefined,
): Promise<void> {
  const { draft: kept } = withoutSecrets(draft);
  if (kept.source !== 'repohost') return;
  const { kind, name } = kept.ref;
  const isCheckedOut = kind === checkedOut?.kind && name === checkedOut.name;
  // A commit is deployed once, so the next one starts from what is checked out.
  const ref = isCheckedOut || kind === 'commit' ? undefined : { kind, name };
  const others = storedChoices(memory, session).filter(
    (other) =>
      other.draft.configPath !== kept.configPath || !sameRepository(other.draft.repositoryUrl, kept.repositoryUrl),
  );
  await memory.update(slotOfConnection('choices', session), [{ draft: kept, ref }, ...others].slice(0, mostChoices));
}

/** The stored choices, the newest first. What can't be read is left out. */
function storedChoices(memory: Memory, session: ReadySession): readonly LastChoices[] {
  const stored = memory.get(slotOfConnection('choices', session));
  const choices = Array.isArray(stored) ? stored.map((item) => choicesShape.safeParse(item)) : [];
  return choices.flatMap(({ data }) => (data === undefined ? [] : [{ draft: data.draft, ref: data.ref }]));
}
