import * as z from 'zod/mini';
import { pathEdits, place, shortText, typedInput, typedText } from '../../page/yamlEdits.ts';

/** The messages from a deployment page to the editor, which drops invalid ones, because any page may post to it. */

/** In characters; far more than a field can have. */
const longestValue = 100_000;

const fromPage = {
  /** The page can receive messages. The editor answers with "setup", unless the page has taken that from its HTML. */
  ready: z.object({ type: z.literal('ready'), isSetUp: z.boolean() }),
  /** One step of undo: the value of a field in the file. An empty one removes the field. */
  change: z.object({
    type: z.literal('change'),
    id: z.number(),
    /** The number of the deployment; missing for a field that several share. */
    number: z.optional(place),
    key: shortText,
    value: z.string().check(z.maxLength(longestValue)),
  }),
  /** One step of undo: changes of resources, with paths that begin there. */
  editResources: z.object({
    type: z.literal('editResources'),
    id: z.number(),
    /** As of a field. */
    number: z.optional(place),
    edits: pathEdits,
  }),
  /**
   * The page knows that a change was refused. Until then, the editor presses no button, and changes no resources that count
   * on that one.
   */
  heard: z.object({ type: z.literal('heard'), ofResources: z.boolean(), number: z.optional(place) }),
  /** Everything that was typed and that the file can't have. The editor keeps it until it is corrected. */
  keep: z.object({
    type: z.literal('keep'),
    kept: z.array(typedText).check(z.maxLength(100)),
  }),
  /**
   * What is being typed, which the page sends as a change once the user pauses. The editor makes that change if the page is
   * gone by then. Without `typed`, there is nothing to send any more.
   */
  typing: z.object({
    type: z.literal('typing'),
    typed: z.optional(typedInput),
  }),
  flushed: z.object({ type: z.literal('flushed') }),
  /** A button of the last state. */
  press: z.object({ type: z.literal('press'), id: shortText }),
  /** Takes back the document's last change. */
  undo: z.object({ type: z.literal('undo') }),
};

export type FromPageMessages = { [Type in keyof typeof fromPage]: z.infer<(typeof fromPage)[Type]> };
export type FromPageMessage = FromPageMessages[keyof FromPageMessages];

const { ready, change, editResources, heard, keep, typing, flushed, press, undo } = fromPage;
const pageMessage = z.discriminatedUnion('type', [
  ready,
  change,
  editResources,
  heard,
  keep,
  typing,
  flushed,
  press,
  undo,
]);

/** Reads a message from the page; undefined for anything else. */
export function readFromPage(value: unknown): FromPageMessage | undefined {
  return pageMessage.safeParse(value).data;
}

export type RefusedPart = Pick<FromPageMessages['heard'], 'ofResources' | 'number'>;

/** What a refused change is about: the resources of a deployment, or all fields, whose changes don't count on each other. */
export function refusedPart({ ofResources, number }: RefusedPart): string {
  return ofResources ? `resources ${number ?? ''}` : 'fields';
}
