import * as z from 'zod/mini';

/**
 * What the panel says to the form, and what both keep of a form. The form checks every message that it receives, as
 * any page may post to a webview; what does not fit is dropped. No secret ever travels here.
 */

/** One kind of check fewer than `z.boolean()`, which would make the script of the form larger. */
const flag = z.literal([true, false]);

/** What a form is about. The form keeps it in its state, so that the panel can be restored from it. */
export const formContext = z.object({
  title: z.string(),
  flavor: z.literal(['standard', 'langsmith']),
  /** The resources of an existing deployment are shown and cannot be changed. */
  readOnly: flag,
  /** The file that the form was opened on or saved to, as a URI; empty when there is none. */
  fileUri: z.string(),
  /** The document that "Open in Editor" uses while there is no file, as a URI; empty before its first use. */
  scratchUri: z.string(),
  /** What was in that file or document when the form was last in step with it, as a hash; empty without one. */
  documentHash: z.string(),
});

export type FormContext = z.infer<typeof formContext>;

const setup = z.object({
  type: z.literal('setup'),
  /** The translations of the editor's language as JSON; "{}" for English. */
  translations: z.string(),
  context: formContext,
  /** The text to begin with. A form that has a saved text of its own keeps that one. */
  text: z.string(),
});

/** Another text takes the place of the one in the form; `from` says in words where it came from. */
const replace = z.object({ type: z.literal('replace'), text: z.string(), from: z.string() });

/** What the form is about has changed, for instance because it was saved to a file. */
const context = z.object({ type: z.literal('context'), context: formContext });

/** The answer to the request with this id; the message may be empty. */
const reply = z.object({ type: z.literal('reply'), id: z.string(), failed: flag, message: z.string() });

const hostMessages = [setup, replace, context, reply] as const;

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
