import * as z from 'zod';
import type { LastChoices } from '../../core/draft/asLastTime.ts';
import type { RepositoryDraft } from '../../core/draft/draft.ts';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import { withoutSecrets } from '../../core/draft/keptDraft.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { ReadySession } from '../connections/session.ts';
import type { Memory } from '../memory.ts';
import { repositoryDraftShape } from './keptDrafts.ts';

/** More config files than a workspace has. */
const mostChoices = 50;

const choicesShape = z.object({
  draft: repositoryDraftShape,
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: z.string().max(10_000) }).optional(),
});

/** The choices of the last deployment from a config file of a repository on a connection. */
export function lastChoices(
  memory: Memory,
  session: ReadySession,
  { repositoryUrl, configPath }: Pick<RepositoryDraft, 'repositoryUrl' | 'configPath'>,
): LastChoices | undefined {
  const found = storedChoices(memory, session).find(
    ({ draft }) => draft.configPath === configPath && sameRepository(draft.repositoryUrl, repositoryUrl),
  );
  return found === undefined ? undefined : { ref: found.ref, draft: found.draft };
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
