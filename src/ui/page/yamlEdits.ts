import * as z from 'zod/mini';
import type { PathEdit } from '../../core/yaml/edit.ts';

/** In characters; far more than a spec can have. */
const longestText = 1_000_000;

export const editedText = z.string().check(z.maxLength(longestText));
/** The place of something in a text or a list, counted from 0. */
export const place = z.number().check(z.int(), z.nonnegative());

const path = z.readonly(z.array(z.union([editedText, place])).check(z.minLength(1), z.maxLength(20)));

/** A change of what is at a path, as a page may ask for it. */
export const pathEdit: z.ZodMiniType<PathEdit> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    path,
    value: z.optional(z.object({ style: z.enum(['inline', 'block']), text: editedText })),
  }),
  z.object({ kind: z.literal('rename'), path, name: editedText }),
  z.object({ kind: z.literal('swap'), path, index: place }),
]);

/** One step of undo has fewer. */
export const mostEdits = 100;

export const pathEdits = z.readonly(z.array(pathEdit).check(z.maxLength(mostEdits)));

export const shortText = z.string().check(z.maxLength(1000));

/** The number of a deployment on its page; missing for what several share. */
const number = z.optional(place);

/** What was typed into a field, or as the YAML of a resource. */
export const typedText = z.object({ number, key: shortText, text: editedText });

/** What is being typed: as text, or as the changes of resources that it means, with paths that begin there. */
export const typedInput = z.union([typedText, z.object({ number, edits: pathEdits })]);

export type TypedInput = z.infer<typeof typedInput>;
