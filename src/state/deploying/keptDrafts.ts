import * as z from 'zod';
import { secretsIn } from '../../api/http/hideValues.ts';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import type { DeploymentDraft } from '../../core/draft/draft.ts';
import { repositoryKey, sameRepository } from '../../core/git/remote.ts';
import type { Memory } from '../memory.ts';

/** A draft that was left before its deployment was created. Its secrets have no values. */
export interface KeptDraft {
  /** The repository and config file, or the source of a deployment that has neither. */
  readonly place: string;
  /** When it was left, in milliseconds since 1970. */
  readonly leftAt: number;
  readonly draft: DeploymentDraft;
}

const slot = 'drafts';

/** More places than a user works on at a time. */
const mostKept = 20;

const text = z.string().max(10_000);
const provenance = z.object({
  kind: z.enum(['user', 'remote', 'checkedOut', 'found', 'suggested', 'integration', 'list', 'form', 'copy']),
  name: text.optional(),
});
const commonShape = {
  connectionName: text,
  name: text,
  deploymentType: text,
  secrets: z.array(z.object({ name: text }).transform(({ name }) => ({ name, value: undefined }))),
  customUrl: text.optional(),
  resourceSpec: resourceSpecWire.optional(),
  listener: z.object({ id: text, name: text, namespaces: z.array(text) }).optional(),
  kubernetesNamespace: text.optional(),
  installCommand: text.optional(),
  buildCommand: text.optional(),
  provenance: z.record(z.string(), provenance),
};
const draftShape = z.discriminatedUnion('source', [
  z.object({
    ...commonShape,
    source: z.literal('repohost'),
    integrationId: text,
    integrationName: text.optional(),
    repositoryUrl: text,
    ref: z.object({ kind: z.enum(['branch', 'tag', 'commit']), name: text }),
    configPath: text,
    buildOnPush: z.boolean(),
  }),
  z.object({
    ...commonShape,
    source: z.literal('external_docker'),
    imageUri: text,
    secretReferences: z.array(z.object({ name: text, secretName: text, secretKey: text })),
  }),
  z.object({ ...commonShape, source: z.literal('internal_docker'), imageUri: text }),
  z.object({ ...commonShape, source: z.literal('internal_source'), tarballPath: text, configPath: text }),
  z.object({ ...commonShape, source: z.literal('internal_template') }),
]);
/** The last moment that a date can have. */
const lastMoment = 8.64e15;
const keptShape = z.object({ leftAt: z.number().min(0).max(lastMoment), draft: draftShape });

/** The kept drafts, the newest first. What can't be read is left out. */
export function keptDrafts(memory: Memory): readonly KeptDraft[] {
  const stored = memory.get(slot);
  const kept = Array.isArray(stored) ? stored.map((item) => keptShape.safeParse(item)) : [];
  return kept.flatMap(({ data }) => (data === undefined ? [] : [{ ...data, place: draftPlace(data.draft) }]));
}

/**
 * Keeps a draft without values that may be secret, instead of an older one for the same place.
 * An edit may have moved the draft from another place.
 */
export async function keepDraft(
  memory: Memory,
  draft: DeploymentDraft,
  now: number,
  formerPlace: string,
): Promise<void> {
  const others = storedExcept(memory, [draftPlace(draft), formerPlace]);
  await memory.update(slot, [{ leftAt: now, draft: withoutValues(draft) }, ...others].slice(0, mostKept));
}

/** Forgets the draft of a place, because its deployment was created. */
export async function forgetDraft(memory: Memory, place: string): Promise<void> {
  const others = storedExcept(memory, [place]);
  await memory.update(slot, others.length === 0 ? undefined : others);
}

/** The draft that was left for the same place as another one, else for the same repository. */
export function keptDraftFor(memory: Memory, draft: DeploymentDraft): KeptDraft | undefined {
  const kept = keptDrafts(memory);
  const isOfRepository = ({ draft: other }: KeptDraft): boolean =>
    other.source === 'repohost' &&
    draft.source === 'repohost' &&
    sameRepository(other.repositoryUrl, draft.repositoryUrl);
  return kept.find(({ place }) => place === draftPlace(draft)) ?? kept.find(isOfRepository);
}

/** Leaves out the values of secrets, and resources and commands that may hold some. */
function withoutValues(draft: DeploymentDraft): object {
  const { resourceSpec, installCommand, buildCommand } = draft;
  return {
    ...draft,
    secrets: draft.secrets.map(({ name }) => ({ name })),
    resourceSpec: secretsIn(resourceSpec).length === 0 ? resourceSpec : undefined,
    installCommand: secretsIn({ install_command: installCommand }).length === 0 ? installCommand : undefined,
    buildCommand: secretsIn({ build_command: buildCommand }).length === 0 ? buildCommand : undefined,
  };
}

function storedExcept(memory: Memory, places: readonly string[]): readonly Omit<KeptDraft, 'place'>[] {
  const others = keptDrafts(memory).filter(({ place }) => !places.includes(place));
  return others.map(({ leftAt, draft }) => ({ leftAt, draft }));
}

/** The repository and config file of a draft, or its source if it has neither. */
export function draftPlace(draft: DeploymentDraft): string {
  if (draft.source !== 'repohost') return draft.source;
  return `${repositoryKey(draft.repositoryUrl) ?? draft.repositoryUrl} ${draft.configPath}`;
}
