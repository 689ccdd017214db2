import * as z from 'zod/mini';

/**
 * What the panel says to the form, and what both keep of a form. The form checks every message that it receives, as
 * any page may post to a webview; what does not fit is dropped. No secret ever travels here.
 */

/** One kind of check fewer than `z.boolean()`, which would make the script of the form larger. */
const flag = z.literal([true, false]);

/** What a form is about. */
const formContext = z.object({
  title: z.string(),
  flavor: z.literal(['standard', 'langsmith']),
  /** The resources of an existing deployment are shown and cannot be changed. */
  readOnly: flag,
  /** The file that the form was opened on or saved to, as a URI; empty when there is none. */
  fileUri: z.string(),
  /** What was in that file, or in the document that takes its place, when the form was last in step with it, as a hash; empty without one. */
  documentHash: z.string(),
  /** The text that would not be lost with the form, as a hash: it came from elsewhere, was saved, copied or used. */
  keptHash: z.string(),
});

export type FormContext = z.infer<typeof formContext>;

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/**
 * All of a form that survives hiding it, closing it and reloading the window. Where it can, everything is text: the
 * fewer kinds of values are checked here, the smaller is the script of the form.
 */
export const formState = z.object({
  context: formContext,
  text: z.string(),
  /** The fields whose content cannot be put into the text yet, as the form writes them; empty without any. */
  drafts: z.string(),
  view: z.literal(formViews),
  /** The ids of the sections that are unfolded, with blanks between. */
  openSections: z.string(),
  /** Pixels from the top of the page. */
  scroll: z.string(),
});

export type FormState = z.infer<typeof formState>;

const setup = z.object({
  type: z.literal('setup'),
  /** All that the window remembers of the form, to find it again after a reload. */
  id: z.string(),
  /** The translations of the editor's language as JSON; "{}" for English. */
  translations: z.string(),
  state: formState,
});

/** Another text takes the place of the one in the form; `from` says in words where it came from. */
const replace = z.object({ type: z.literal('replace'), text: z.string(), from: z.string() });

/** What the form is about has changed, for instance because it was saved to a file. */
const context = z.object({ type: z.literal('context'), context: formContext });

/** The key for saving was pressed. */
const save = z.object({ type: z.literal('save') });

/** The answer to the request with this id; the message may be empty. */
const reply = z.object({ type: z.literal('reply'), id: z.string(), failed: flag, message: z.string() });

const hostMessages = [setup, replace, context, save, reply] as const;

export type SetupMessage = z.infer<typeof setup>;
export type ReplyMessage = z.infer<typeof reply>;
export type HostMessage = z.infer<(typeof hostMessages)[number]>;

/** Reads a message of the panel; anything else is no message at all. */
export function readHostMessage(value: unknown): HostMessage | undefined {
  for (const schema of hostMessages) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}
