import * as z from 'zod/mini';
import { formContext } from '../protocol.ts';

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/** Everything is text: the fewer kinds of values are checked here, the smaller is the script of the form. */
const savedState = z.object({
  context: formContext,
  text: z.string(),
  /** See `saveDrafts`. */
  drafts: z.string(),
  view: z.literal(formViews),
  /** The ids of the sections that are unfolded, with blanks between. */
  openSections: z.string(),
  /** Pixels from the top of the page. */
  scroll: z.string(),
});

/** What survives hiding the form and reloading the window. */
export type SavedState = z.infer<typeof savedState>;

/** Reads what an earlier form left behind; anything else is no state at all. */
export function readSavedState(value: unknown): SavedState | undefined {
  const parsed = savedState.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
