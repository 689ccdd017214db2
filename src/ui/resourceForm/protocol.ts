import * as z from 'zod/mini';
import type { YamlEdit } from '../../core/yaml/edit.ts';

/**
 * The messages between the editor and the page of a form.
 * Both sides validate every message and drop invalid ones, because any page may post to a webview. The API key never
 * travels here.
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

/** In characters; far more than a spec can have. */
const longestText = 1_000_000;

const shortText = z.string().check(z.maxLength(longestText));
const offset = z.number().check(z.int(), z.nonnegative());
const path = z.readonly(
  z.array(z.union([z.string().check(z.maxLength(1000)), offset])).check(z.minLength(1), z.maxLength(20)),
);

const edit: z.ZodMiniType<YamlEdit> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    path,
    value: z.optional(z.object({ style: z.enum(['inline', 'block']), text: shortText })),
  }),
  z.object({ kind: z.literal('swap'), path, index: offset }),
  z.object({ kind: z.literal('splice'), start: offset, end: offset, text: shortText }),
]);

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
  /** A change of the page wasn't applied. Without a message, the page may send it again for the newer text. */
  refused: z.object({ type: z.literal('refused'), id: z.number(), message: z.string() }),
  /** The document is about to be saved. The page sends its changes, then "flushed". */
  flush: z.object({ type: z.literal('flush') }),
  /** What an action did, or why it failed. */
  said: z.object({ type: z.literal('said'), failed: z.boolean(), message: z.string(), canUndo: z.boolean() }),
};

/** The actions that the page can request. */
const formAction = z.enum(['use', 'saveAs', 'copy', 'openInEditor', 'loadFile', 'loadDeployment', 'undo']);

export type FormAction = z.infer<typeof formAction>;

const fromPage = {
  /** The page can receive messages. The editor answers with "setup". */
  ready: z.object({ type: z.literal('ready') }),
  /** One step of undo, for the text with this version and the changes that the page sent since. */
  change: z.object({
    type: z.literal('change'),
    id: z.number(),
    version: z.number(),
    edits: z.readonly(z.array(edit).check(z.maxLength(100))),
  }),
  flushed: z.object({ type: z.literal('flushed') }),
  action: z.object({ type: z.literal('action'), action: formAction }),
};

type Each<Schemas extends Record<string, z.ZodMiniType>> = { [Type in keyof Schemas]: z.infer<Schemas[Type]> };

export type EditorMessages = Each<typeof fromEditor>;
export type EditorMessage = EditorMessages[keyof EditorMessages];
export type PageMessages = Each<typeof fromPage>;
export type PageMessage = PageMessages[keyof PageMessages];

const { setup, text, context, refused, flush, said } = fromEditor;
const editorMessage = z.discriminatedUnion('type', [setup, text, context, refused, flush, said]);
const { ready, change, flushed, action } = fromPage;
const pageMessage = z.discriminatedUnion('type', [ready, change, flushed, action]);

/** Reads a message from the editor; undefined for anything else. */
export function readEditorMessage(value: unknown): EditorMessage | undefined {
  return editorMessage.safeParse(value).data;
}

/** Reads a message from the page; undefined for anything else. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  return pageMessage.safeParse(value).data;
}

export const formViews = ['form', 'yaml', 'both'] as const;

export type FormView = (typeof formViews)[number];

/** What VS Code keeps of a page while it is hidden or reloaded. It has no text of the document. */
const keptView = z.object({
  view: z.enum(formViews),
  openSections: z.readonly(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
  /** The scroll position from the top of the page, in pixels. */
  scroll: z.number(),
});

export type KeptView = z.infer<typeof keptView>;

/** Reads the kept view of a page; that of a new page for anything else. */
export function readKeptView(value: unknown): KeptView {
  return keptView.safeParse(value).data ?? { view: 'form', openSections: ['scale', 'main'], scroll: 0 };
}
