import * as z from 'zod/mini';
import type { YamlEdit } from '../../core/yaml/edit.ts';
import { editedText, mostEdits, place, pathEdit } from '../page/yamlEdits.ts';

/** The messages from the page of a form to the editor, which drops invalid ones, because any page may post to it. */

const edit: z.ZodMiniType<YamlEdit> = z.union([
  pathEdit,
  z.object({ kind: z.literal('splice'), start: place, end: place, text: editedText }),
]);

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
    edits: z.readonly(z.array(edit).check(z.maxLength(mostEdits))),
  }),
  flushed: z.object({ type: z.literal('flushed') }),
  /** The page knows of the last refusal. What it sent before counts on the refused change, so the editor drops it. */
  heard: z.object({ type: z.literal('heard') }),
  action: z.object({ type: z.literal('action'), action: formAction }),
};

export type PageMessages = { [Type in keyof typeof fromPage]: z.infer<(typeof fromPage)[Type]> };
export type PageMessage = PageMessages[keyof PageMessages];

const { ready, change, flushed, heard, action } = fromPage;
const pageMessage = z.discriminatedUnion('type', [ready, change, flushed, heard, action]);

/** Reads a message from the page; undefined for anything else. */
export function readPageMessage(value: unknown): PageMessage | undefined {
  return pageMessage.safeParse(value).data;
}
