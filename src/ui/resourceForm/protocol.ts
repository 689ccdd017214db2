import * as z from 'zod/mini';

/**
 * What the panel and the form say to each other, and what both keep of a form. Both check every message that they
 * receive, as any page may post to a webview; what does not fit is dropped. No secret ever travels here.
 */

/** What a form is about. */
const formContext = z.object({
  title: z.string(),
  flavor: z.enum(['standard', 'langsmith']),
  /** The resources of an existing deployment are shown and cannot be changed. */
  readOnly: z.boolean(),
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

/** The content of a field that cannot be put into the text yet. */
const draft = z.object({
  key: z.string(),
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['text', 'yaml']), text: z.string() }),
    z.object({ kind: z.literal('rows'), rows: z.readonly(z.array(z.object({ name: z.string(), value: z.string() }))) }),
    z.object({ kind: z.literal('names'), names: z.readonly(z.array(z.string())) }),
  ]),
});

export type Draft = z.infer<typeof draft>;

/** All of a form that survives hiding it, closing it and reloading the window. */
const formState = z.object({
  context: formContext,
  text: z.string(),
  drafts: z.readonly(z.array(draft)),
  view: z.enum(formViews),
  /** The ids of the sections that are unfolded. */
  openSections: z.readonly(z.array(z.string())),
  /** Pixels from the top of the page. */
  scroll: z.number(),
});

export type FormState = z.infer<typeof formState>;

const hostMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    /** All that the window remembers of the form, to find it again after a reload. */
    id: z.string(),
    /** The translations of the editor's language by the English text; none for English. */
    translations: z.record(z.string(), z.string()),
    state: formState,
  }),
  /** Another text takes the place of the one in the form; `from` says in words where it came from. */
  z.object({ type: z.literal('replace'), text: z.string(), from: z.string() }),
  /** What the form is about has changed, for instance because it was saved to a file. */
  z.object({ type: z.literal('context'), context: formContext }),
  /** The key for saving was pressed. */
  z.object({ type: z.literal('save') }),
  /** The answer to the request with this id; the message may be empty. */
  z.object({ type: z.literal('reply'), id: z.number(), failed: z.boolean(), message: z.string() }),
]);

/** What the panel says to the form. */
export type HostMessage = z.infer<typeof hostMessage>;
export type SetupMessage = Extract<HostMessage, { type: 'setup' }>;
export type ReplyMessage = Extract<HostMessage, { type: 'reply' }>;

/** What the form may ask its panel to do. Each request is answered with a reply of the same id. */
const formAction = z.enum(['use', 'save', 'saveAs', 'copy', 'openInEditor', 'loadFile', 'loadDeployment']);

export type FormAction = z.infer<typeof formAction>;

/** In characters: far more than a spec may have. */
const longestText = 1_000_000;

const shortText = z.string().check(z.maxLength(longestText));
const shortDrafts = z
  .readonly(z.array(draft))
  .check(z.refine((drafts) => JSON.stringify(drafts).length <= longestText));

const formMessage = z.discriminatedUnion('type', [
  /** The form can receive messages. The answer is "setup". */
  z.object({ type: z.literal('ready') }),
  /** The first picture is on the screen. */
  z.object({ type: z.literal('painted') }),
  /** What the form holds now. The panel keeps it, because the page is gone when the form is hidden or closed. */
  z.object({ type: z.literal('state'), state: z.extend(formState, { text: shortText, drafts: shortDrafts }) }),
  z.object({ type: z.literal('request'), id: z.number(), action: formAction, text: shortText }),
]);

/** What the form says to the panel. */
export type FormMessage = z.infer<typeof formMessage>;

/** Reads a message of the panel; anything else is no message at all. */
export function readHostMessage(value: unknown): HostMessage | undefined {
  return hostMessage.safeParse(value).data;
}

/** Reads a message of the form; anything else is no message at all. */
export function readFormMessage(value: unknown): FormMessage | undefined {
  return formMessage.safeParse(value).data;
}

/** Reads what was kept of a form over a reload; anything else is no state at all. */
export function readFormState(value: unknown): FormState | undefined {
  return formState.safeParse(value).data;
}
