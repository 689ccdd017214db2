import * as z from 'zod/mini';

/**
 * The messages between the panel and the form, and the state that both keep.
 * Both sides validate every message and drop invalid ones, because any page may post to a webview. The API key never
 * travels here.
 */

const formContext = z.object({
  title: z.string(),
  flavor: z.enum(['standard', 'langsmith', 'local']),
  /** Whether the form only shows the resources of an existing deployment. */
  readOnly: z.boolean(),
  /** The URI of the file that the form was opened on or saved to; empty without one. */
  fileUri: z.string(),
  /** The hash of that file, or of the document in its place, when the form last matched it; empty without one. */
  documentHash: z.string(),
  /** The hash of the last text that was loaded from elsewhere, saved, copied, or used. */
  keptHash: z.string(),
});

export type FormContext = z.infer<typeof formContext>;

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/** The content of a field that can't be put into the text yet. */
const draft = z.object({
  key: z.string(),
  content: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['text', 'yaml']), text: z.string() }),
    z.object({ kind: z.literal('rows'), rows: z.readonly(z.array(z.object({ name: z.string(), value: z.string() }))) }),
    z.object({ kind: z.literal('names'), names: z.readonly(z.array(z.string())) }),
  ]),
});

export type Draft = z.infer<typeof draft>;

/** The state of a form that survives hiding it, closing it, and reloading the window. */
const formState = z.object({
  context: formContext,
  text: z.string(),
  drafts: z.readonly(z.array(draft)),
  view: z.enum(formViews),
  openSections: z.readonly(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
  /** The scroll position from the top of the page, in pixels. */
  scroll: z.number(),
});

export type FormState = z.infer<typeof formState>;

const hostMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('setup'),
    /** The form's id, which is all that the window remembers to find the form after a reload. */
    id: z.string(),
    /** Translations into the editor's language, by English text; empty for English. */
    translations: z.record(z.string(), z.string()),
    state: formState,
  }),
  /** Replaces the text in the form; `from` names the source of the new text. */
  z.object({ type: z.literal('replace'), text: z.string(), from: z.string() }),
  /** Changes the form's context, for instance after the form was saved to a file. */
  z.object({ type: z.literal('context'), context: formContext }),
  /** The user ran the save command. */
  z.object({ type: z.literal('save') }),
  /** The answer to the request with this id; the message may be empty. */
  z.object({ type: z.literal('reply'), id: z.number(), failed: z.boolean(), message: z.string() }),
]);

export type HostMessage = z.infer<typeof hostMessage>;
export type SetupMessage = Extract<HostMessage, { type: 'setup' }>;
export type ReplyMessage = Extract<HostMessage, { type: 'reply' }>;

/** The actions that the form can request. Each request gets a reply with the same id. */
const formAction = z.enum(['use', 'save', 'saveAs', 'copy', 'openInEditor', 'loadFile', 'loadDeployment']);

export type FormAction = z.infer<typeof formAction>;

/** In characters; far more than a spec can have. */
const longestText = 1_000_000;

const shortText = z.string().check(z.maxLength(longestText));
const shortDrafts = z
  .readonly(z.array(draft))
  .check(z.refine((drafts) => JSON.stringify(drafts).length <= longestText));

const formMessage = z.discriminatedUnion('type', [
  /** The form can receive messages. The panel answers with "setup". */
  z.object({ type: z.literal('ready') }),
  /** The form's current state. The panel keeps it, because hiding or closing the form destroys the page. */
  z.object({ type: z.literal('state'), state: z.extend(formState, { text: shortText, drafts: shortDrafts }) }),
  z.object({ type: z.literal('request'), id: z.number(), action: formAction, text: shortText }),
]);

export type FormMessage = z.infer<typeof formMessage>;

/** Reads a message from the panel; undefined for anything else. */
export function readHostMessage(value: unknown): HostMessage | undefined {
  return hostMessage.safeParse(value).data;
}

/** Reads a message from the form; undefined for anything else. */
export function readFormMessage(value: unknown): FormMessage | undefined {
  return formMessage.safeParse(value).data;
}

/** Reads the kept state of a form; undefined for anything else. */
export function readFormState(value: unknown): FormState | undefined {
  return formState.safeParse(value).data;
}
