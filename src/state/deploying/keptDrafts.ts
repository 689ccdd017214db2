import * as z from 'zod';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { createRequest } from '../../core/draft/createRequest.ts';
import { type DeploymentDraft, provenanceKinds } from '../../core/draft/draft.ts';
import { guardedFields } from '../../core/draft/fields.ts';
import { type DraftWithoutSecrets, withoutSecrets } from '../../core/draft/keptDraft.ts';
import { repositoryKey, sameRepository } from '../../core/git/remote.ts';
import type { Memory } from '../memory.ts';

/** A draft that was left before its deployment was created. */
export interface KeptDraft extends DraftWithoutSecrets {
  /** What it is made from: the repository and config file, or the image, the upload or the name. */
  readonly place: string;
  /** When it was left, in milliseconds since 1970. */
  readonly leftAt: number;
}

const slot = 'drafts';

/** More places than a user works on at a time. */
const mostKept = 20;

const text = z.string().max(10_000);
const provenance = z.object({ kind: z.enum(provenanceKinds), name: text.optional() });
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
/** A stored draft of a repository. */
export const repositoryDraftShape = z.object({
  ...commonShape,
  source: z.literal('repohost'),
  integrationId: text,
  integrationName: text.optional(),
  repositoryUrl: text,
  ref: z.object({ kind: z.enum(['branch', 'tag', 'commit']), name: text }),
  configPath: text,
  buildOnPush: z.boolean(),
});
const draftShape = z.discriminatedUnion('source', [
  repositoryDraftShape,
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
const keptShape = z.object({
  leftAt: z.number().min(0).max(lastMoment),
  draft: draftShape,
  leftOut: z.array(z.enum(guardedFields)).default([]),
});

/** The kept drafts, the newest first. What can't be read is left out. */
export function keptDrafts(memory: Memory): readonly KeptDraft[] {
  const stored = memory.get(slot);
  const kept = Array.isArray(stored) ? stored.map((item) => keptShape.safeParse(item)) : [];
  return kept.flatMap(({ data }) => (data === undefined ? [] : [{ ...data, place: draftPlace(data.draft) }]));
}

/**
 * Keeps a draft without values that may be secret, instead of an older one for the same place.
 * @param formerPlace where the same draft was kept before an edit, if it was
 */
export async function keepDraft(
  memory: Memory,
  draft: DeploymentDraft,
  now: number,
  formerPlace: string | undefined,
): Promise<KeptDraft> {
  const place = draftPlace(draft);
  const others = storedExcept(memory, [place, formerPlace]);
  const kept = { leftAt: now, ...withoutSecrets(draft) };
  await memory.update(slot, [kept, ...others].slice(0, mostKept));
  return { ...kept, place };
}

/** Forgets the draft of a place, because its deployment was created or the user discards it. */
export async function forgetDraft(memory: Memory, place: string): Promise<void> {
  const others = storedExcept(memory, [place]);
  await memory.update(slot, others.length === 0 ? undefined : others);
}

/** The draft that was left for the same place as another one, else for the same repository or source. */
export function keptDraftFor(memory: Memory, draft: DeploymentDraft): KeptDraft | undefined {
  const kept = keptDrafts(memory);
  const place = draftPlace(draft);
  return kept.find((other) => other.place === place) ?? kept.find((other) => isRelated(other.draft, draft));
}

function isRelated(kept: DeploymentDraft, draft: DeploymentDraft): boolean {
  if (kept.source !== 'repohost' || draft.source !== 'repohost') return kept.source === draft.source;
  return sameRepository(kept.repositoryUrl, draft.repositoryUrl);
}

/** Whether a draft is kept with everything that it holds. */
export function isKeptAs({ draft: kept }: KeptDraft, draft: DeploymentDraft): boolean {
  return JSON.stringify(createRequest(kept)) === JSON.stringify(createRequest(withoutSecrets(draft).draft));
}

function storedExcept(memory: Memory, places: readonly (string | undefined)[]): readonly Omit<KeptDraft, 'place'>[] {
  const others = keptDrafts(memory).filter(({ place }) => !places.includes(place));
  return others.map(({ leftAt, draft, leftOut }) => ({ leftAt, draft, leftOut }));
}

/** What a draft is made from, by which it is found again; its name too where others are made from the same. */
export function draftPlace(draft: DeploymentDraft): string {
  const { draft: kept } = withoutSecrets(draft);
  switch (kept.source) {
    case 'repohost':
      return `${repositoryKey(kept.repositoryUrl) ?? kept.repositoryUrl} ${kept.configPath}`;
    case 'external_docker':
    case 'internal_docker':
      return `${kept.source} ${kept.imageUri} ${kept.name}`;
    case 'internal_source':
      return `${kept.source} ${kept.tarballPath} ${kept.name}`;
    case 'internal_template':
      return `${kept.source} ${kept.name}`;
  }
}
