import * as z from 'zod/mini';
import { formState } from './protocol.ts';
import type { FormState } from './protocol.ts';

/** What the form may ask its panel to do. Each request is answered with a reply of the same id. */
const formAction = z.enum(['use', 'save', 'saveAs', 'copy', 'openInEditor', 'loadFile', 'loadDeployment']);

export type FormAction = z.infer<typeof formAction>;

const longText = z.string().check(z.maxLength(1_000_000));

/** What the form says to its panel. The panel checks every message before it does anything. */
const formMessage = z.discriminatedUnion('type', [
  /** The form can receive messages. The answer is "setup". */
  z.object({ type: z.literal('ready') }),
  /** The first picture is on the screen. */
  z.object({ type: z.literal('painted') }),
  /** What the form holds now. The panel keeps it, because the page is gone when the form is hidden or closed. */
  z.object({ type: z.literal('state'), state: z.extend(formState, { text: longText, drafts: longText }) }),
  z.object({
    type: z.literal('request'),
    id: z.string(),
    action: formAction,
    text: longText,
  }),
]);

export type FormMessage = z.infer<typeof formMessage>;

/** Reads a message of the form; anything else is no message at all. */
export function readFormMessage(value: unknown): FormMessage | undefined {
  const parsed = formMessage.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** Reads what was kept of a form over a reload; anything else is no state at all. */
export function readFormState(value: unknown): FormState | undefined {
  const parsed = formState.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
