import * as z from 'zod/mini';

/**
 * The messages from the editor to the page of a form, which drops invalid ones, because any page may post to a webview.
 * The API key never travels here.
 */

const formContext = z.object({
  title: z.string(),
  flavor: z.enum(['standard', 'langsmith', 'local']),
  /** What the form shows: a file, a draft that belongs to no file, or the resources of a deployment. */
  subject: z.enum(['file', 'draft', 'deployment']),
  /** Why nothing can be edited; empty if it can. */
  lock: z.string(),
});

export type FormContext = z.infer<typeof formContext>;

/** A document's text, and its version, which grows with every change. */
const documentText = { version: z.number(), text: z.string() };

const fromEditor = {
  /** Translations into the editor's language by English text; empty for English. */
  setup: z.object({
    type: z.literal('setup'),
    translations: z.record(z.string(), z.string()),
    context: formContext,
    ...documentText,
  }),
  /** The document changed. It has the page's changes up to the one with this number. */
  text: z.object({ type: z.literal('text'), ...documentText, applied: z.number() }),
  context: z.object({ type: z.literal('context'), context: formContext }),
  /**
   * A change of the page wasn't applied, and nothing that the page sends until it says "heard".
   * Without a message, the page may send its changes again for the newer text.
   */
  refused: z.object({ type: z.literal('refused'), id: z.number(), message: z.string() }),
  /** The document is about to be saved. The page sends its changes, then "flushed". */
  flush: z.object({ type: z.literal('flush') }),
  /** A prompt of what the user pressed may have taken the focus from the page. */
  focus: z.object({ type: z.literal('focus') }),
  /** What an action did, or why it failed. */
  said: z.object({ type: z.literal('said'), failed: z.boolean(), message: z.string(), canUndo: z.boolean() }),
};

export type EditorMessages = { [Type in keyof typeof fromEditor]: z.infer<(typeof fromEditor)[Type]> };
export type EditorMessage = EditorMessages[keyof EditorMessages];

const { setup, text, context, refused, flush, focus, said } = fromEditor;
const editorMessage = z.discriminatedUnion('type', [setup, text, context, refused, flush, focus, said]);
/** Reads a message from the editor; undefined for anything else. */
export function readEditorMessage(value: unknown): EditorMessage | undefined {
  return editorMessage.safeParse(value).data;
}

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/** What VS Code keeps of a page while it is hidden or reloaded. It has no text of the document. */
const keptView = z.object({
  view: z.enum(formViews),
  openSections: z.readonly(z.array(z.string())),
  /** The scroll position from the top of the page, in pixels. */
  scroll: z.number(),
});

export type KeptView = z.infer<typeof keptView>;

/** Reads the kept view of a page; that of a new page for anything else. */
export function readKeptView(value: unknown): KeptView {
  return keptView.safeParse(value).data ?? { view: 'form', openSections: ['scale', 'main'], scroll: 0 };
}
