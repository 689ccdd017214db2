import * as z from 'zod/mini';
import { formContext } from '../protocol.ts';

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/** The content of fields that cannot be put into the text yet: key of the field, kind of its content, and the words. */
const draft = z.object({
  key: z.string(),
  kind: z.literal(['text', 'yaml', 'rows', 'names']),
  /** Names and values in turn for rows; one text otherwise, or one for each name. */
  texts: z.array(z.string()),
});

const savedState = z.object({
  context: formContext,
  text: z.string(),
  drafts: z.array(draft),
  view: z.literal(formViews),
  openSections: z.array(z.string()),
  scroll: z.number(),
});

export type SavedDraft = z.infer<typeof draft>;

/** What survives hiding the form and reloading the window. */
export type SavedState = z.infer<typeof savedState>;

/** Reads what an earlier form left behind; anything else is no state at all. */
export function readSavedState(value: unknown): SavedState | undefined {
  const parsed = savedState.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
