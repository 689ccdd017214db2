import * as z from 'zod';
import { SOURCES } from '../../api/schema/enums.ts';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import type { LastChoices } from '../../core/draft/asLastTime.ts';
import { emptyDraft, provenanceKinds, type DeploymentDraft } from '../../core/draft/draft.ts';
import { guardedFields, plainFields, rememberedFields } from '../../core/draft/fields.ts';
import { isSwitch } from '../../core/draft/fieldValues.ts';
import type { DeploymentRef } from '../../core/git/deploymentRef.ts';
import { secretFields, withoutSecrets } from '../../core/draft/withoutSecrets.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { ReadySession } from '../connections/session.ts';
import type { Memory } from '../memory.ts';

/** More places than a workspace deploys from. */
const mostChoices = 50;

const text = z.string().max(10_000);
/** A stored draft. It has what its source has. */
const draftShape = z
  .object({
    ...Object.fromEntries(plainFields.map((field) => [field, (isSwitch(field) ? z.boolean() : text).optional()])),
    source: z.enum(SOURCES),
    connectionName: text,
    name: text,
    deploymentType: text,
    secrets: z.array(z.object({ name: text }).transform(({ name }) => ({ name, value: undefined }))),
    resourceSpec: resourceSpecWire.optional(),
    listener: z.object({ id: text, name: text, namespaces: z.array(text) }).optional(),
    kubernetesNamespace: text.optional(),
    provenance: z.record(z.string(), z.object({ kind: z.enum(provenanceKinds), name: text.optional() })),
    integrationId: text.optional(),
    repositoryUrl: text.optional(),
    ref: z.object({ kind: z.enum(['branch', 'tag', 'commit']), name: text }).optional(),
    configPath: text.optional(),
    secretReferences: z.array(z.object({ name: text, secretName: text, secretKey: text })).optional(),
  })
  .transform((stored): DeploymentDraft => Object.assign(emptyDraft(stored.source, stored.connectionName), stored));
const choicesShape = z.object({
  draft: draftShape,
  leftOut: z.array(z.enum(guardedFields)).optional(),
  ref: z.object({ kind: z.enum(['branch', 'tag']), name: text }).optional(),
  folder: text.optional(),
});

type StoredChoices = z.infer<typeof choicesShape>;

/**
 * The choices of the last deployment on a connection from a draft's place: its repository and config file, the folder that
 * it uploads, or else its source. Unless a repository's config file was chosen, the last one of the place will do.
 * @param folder the URI of the folder that it uploads
 */
export function lastChoices(
  memory: Memory,
  session: ReadySession,
  draft: DeploymentDraft,
  folder?: string,
): LastChoices | undefined {
  const ofPlace = storedChoices(memory, session).filter((stored) => isFrom(stored, draft, folder));
  const isFixed = draft.source === 'repohost' && draft.provenance.configPath?.kind !== 'suggested';
  const config = configOf(draft);
  return (
    ofPlace.find((stored) => config !== '' && configOf(stored.draft) === config) ?? (isFixed ? undefined : ofPlace[0])
  );
}

/**
 * Remembers the choices of a deployment that was created, or deployed again on its page, without values that may be secret.
 * @param from.checkedOut the branch at that time; if it was deployed, the next deployment takes the branch of its time
 * @param from.folder the URI of the folder that it uploads
 */
export async function rememberChoices(
  memory: Memory,
  session: ReadySession,
  draft: DeploymentDraft,
  { checkedOut, folder }: { readonly checkedOut?: DeploymentRef | undefined; readonly folder?: string | undefined },
): Promise<void> {
  const kept = withoutSecrets(draft);
  const others = storedChoices(memory, session).filter(
    (stored) => !isFrom(stored, kept, folder) || configOf(stored.draft) !== configOf(kept),
  );
  const leftOut = secretFields(draft).filter((field) => rememberedFields.some((each) => each === field));
  const choices = { draft: kept, leftOut, ref: refToKeep(kept, checkedOut), folder };
  const stored = [choices, ...others].slice(0, mostChoices);
  await memory.update(slotOfConnection('choices', session), stored);
}

function refToKeep(draft: DeploymentDraft, checkedOut: DeploymentRef | undefined): DeploymentRef | undefined {
  if (draft.source !== 'repohost') return undefined;
  const { kind, name } = draft.ref;
  const isCheckedOut = kind === checkedOut?.kind && name === checkedOut.name;
  // A commit is deployed once, so the next one starts from what is checked out.
  return isCheckedOut || kind === 'commit' ? undefined : { kind, name };
}

function isFrom(stored: StoredChoices, draft: DeploymentDraft, folder: string | undefined): boolean {
  if (stored.draft.source !== 'repohost' || draft.source !== 'repohost') {
    return stored.draft.source === draft.source && stored.folder === folder;
  }
  return sameRepository(stored.draft.repositoryUrl, draft.repositoryUrl);
}

function configOf(draft: DeploymentDraft): string {
  return 'configPath' in draft ? draft.configPath : '';
}

/** The stored choices, the newest first. What can't be read is left out. */
function storedChoices(memory: Memory, session: ReadySession): readonly StoredChoices[] {
  const stored = memory.get(slotOfConnection('choices', session));
  const choices = Array.isArray(stored) ? stored.map((item) => choicesShape.safeParse(item)) : [];
  return choices.flatMap(({ data }) => data ?? []);
}
