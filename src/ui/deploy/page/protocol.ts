import * as z from 'zod/mini';
import { keptInput } from '../../page/messages.ts';

/**
 * The messages from the editor to a deployment page, which drops invalid ones, because any page may post to a webview.
 * Values of secrets never travel here.
 */

/** Something that the user can do. The editor knows its buttons by their ids. */
const button = z.object({ id: z.string(), label: z.string() });

export type PageButton = z.infer<typeof button>;

const pageFinding = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  /** The key of the field that it is about; empty if it is about none. */
  key: z.string(),
  buttons: z.array(button),
});

export type PageFinding = z.infer<typeof pageFinding>;

const pageField = z.object({
  /** As in the file. */
  key: z.string(),
  label: z.string(),
  help: z.string(),
  /** As in the file; empty if the file says nothing. */
  value: z.string(),
  /** What counts if the file says nothing; empty if nothing does. */
  usual: z.string(),
  /** Where the value comes from, in words; empty if there is none. */
  from: z.string(),
  /** The values to choose from, in a field that isn't typed. */
  options: z.array(z.object({ value: z.string(), label: z.string() })),
  /** Whether the value can't be changed. */
  isLocked: z.boolean(),
  /** Asks for the value with a list of VS Code. */
  pick: z.optional(button),
});

export type PageField = z.infer<typeof pageField>;

const pageGroup = z.object({
  id: z.string(),
  title: z.string(),
  /** What the fields say, for while they are folded. */
  summary: z.string(),
  isOpen: z.boolean(),
  fields: z.array(pageField),
});

export type PageGroup = z.infer<typeof pageGroup>;

/** A secret, or something else that the deployment has several of, by its name. */
const pageRow = z.object({
  name: z.string(),
  /** Where the value comes from, in words. */
  from: z.string(),
  /** Such as "set", "unchanged" or "missing". */
  state: z.string(),
  isMissing: z.boolean(),
  buttons: z.array(button),
});

export type PageRow = z.infer<typeof pageRow>;

const pageTable = z.object({
  /** Its key in the file. */
  id: z.string(),
  title: z.string(),
  summary: z.string(),
  rows: z.array(pageRow),
  buttons: z.array(button),
});

export type PageTable = z.infer<typeof pageTable>;

const pageResources = z.object({
  /** What they reserve, in words. */
  summary: z.string(),
  /** As the file has them. Empty for those of another file, which isn't edited here. */
  text: z.string(),
  /** Of its connection, whose rules count. */
  flavor: z.enum(['standard', 'langsmith', 'local']),
  /** Other starting points than the presets. */
  starts: z.array(z.object({ ...button.shape, description: z.string() })),
  /** Opens the other file, if they are in one. */
  open: z.optional(button),
});

export type PageResources = z.infer<typeof pageResources>;

/** What became of the deployment since the user deployed it. */
const pageProgress = z.object({
  /** The revision that was made from the page; empty if the service names none. */
  made: z.string(),
  /** From the verdict on the revision, with its time. */
  words: z.string(),
  look: z.enum(['working', 'success', 'failed', 'other']),
  /** The statuses that were seen, each with the time. */
  steps: z.array(z.object({ words: z.string(), at: z.string() })),
  /** Why it failed, in full; empty if it didn't, or if the service says nothing. */
  reason: z.string(),
  buttons: z.array(button),
});

export type PageProgress = z.infer<typeof pageProgress>;

const pageDeployment = z.object({
  /** It keeps this number wherever it goes in the file. */
  number: z.number(),
  title: z.string(),
  /** What will happen, in sentences. */
  facts: z.array(z.string()),
  isChecking: z.boolean(),
  findings: z.array(pageFinding),
  groups: z.array(pageGroup),
  tables: z.array(pageTable),
  /** Missing in a file that can't be read. */
  resources: z.optional(pageResources),
  progress: z.optional(pageProgress),
  /** Deploys this one. Missing in a file with one deployment, whose buttons are in the bar. */
  deploy: z.optional(button),
  buttons: z.array(button),
});

export type PageDeployment = z.infer<typeof pageDeployment>;

const pageState = z.object({
  /** Of the document, which grows with every change. */
  version: z.number(),
  /** The document has the page's changes up to the one with this number. */
  applied: z.number(),
  title: z.string(),
  /** Why nothing can be edited; empty if it can. */
  lock: z.string(),
  /** The fields of several deployments that are changed at once. */
  shared: z.optional(pageGroup),
  /** The resources that they share. Missing while these differ. */
  sharedResources: z.optional(pageResources),
  deployments: z.array(pageDeployment),
  /** Deploys; missing while nothing can be deployed. */
  deploy: z.optional(button),
  /** Why nothing can be deployed, or how many things are doubtful, beside the button. */
  words: z.string(),
  buttons: z.array(button),
});

export type PageState = z.infer<typeof pageState>;

const fromEditor = {
  /** Translations into the editor's language by English text; empty for English. */
  setup: z.object({
    type: z.literal('setup'),
    translations: z.record(z.string(), z.string()),
    state: pageState,
    /** What the page had before it was hidden or closed. */
    kept: z.array(keptInput),
  }),
  state: z.object({ type: z.literal('state'), state: pageState }),
  /** A change of the page wasn't applied, for the reason, and of resources none after it until the page says "heard". */
  refused: z.object({
    type: z.literal('refused'),
    id: z.number(),
    message: z.string(),
    ofResources: z.boolean(),
    /** As in the page's message. */
    number: z.optional(z.number()),
  }),
  /** The document is about to be saved. The page sends its changes, then "flushed". */
  flush: z.object({ type: z.literal('flush') }),
  /** A prompt of what the user pressed may have taken the focus from the page. */
  focus: z.object({ type: z.literal('focus') }),
  /** What a button did, or why it failed; empty if that no longer counts. */
  said: z.object({ type: z.literal('said'), failed: z.boolean(), message: z.string() }),
  /** The user wants to see a deployment of the file. */
  show: z.object({ type: z.literal('show'), number: z.number() }),
};

export type ToPageMessages = { [Type in keyof typeof fromEditor]: z.infer<(typeof fromEditor)[Type]> };
export type ToPageMessage = ToPageMessages[keyof ToPageMessages];

const { setup, state, refused, flush, focus, said, show } = fromEditor;
const toPageMessage = z.discriminatedUnion('type', [setup, state, refused, flush, focus, said, show]);

/** Reads a message from the editor; undefined for anything else. */
export function readToPage(value: unknown): ToPageMessage | undefined {
  return toPageMessage.safeParse(value).data;
}

/** What VS Code keeps of a page while it is hidden or reloaded. It has no text of the document. */
const keptPage = z.object({
  /** The groups that the user opened or folded, by deployment and id. */
  open: z.record(z.string(), z.boolean()),
  /** The scroll position from the top of the page, in pixels. */
  scroll: z.number(),
});

export type KeptPage = z.infer<typeof keptPage>;

/** Reads the kept view of a page; that of a new page for anything else. */
export function readKeptPage(value: unknown): KeptPage {
  return keptPage.safeParse(value).data ?? { open: {}, scroll: 0 };
}
