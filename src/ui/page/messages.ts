import * as z from 'zod/mini';

/** What handles each kind of message. A table without one of them doesn't compile. */
export type Handlers<Messages> = { readonly [Type in keyof Messages]: (message: Messages[Type]) => void };

/** Hands a message to its handler. */
export function handle<Messages, Type extends keyof Messages>(
  handlers: Handlers<Messages>,
  message: Messages[Type] & { readonly type: Type },
): void {
  handlers[message.type](message);
}

/** What was typed for a field or a resource and the file can't have as it is. */
export const keptInput = z.object({
  /** The number of its deployment; missing for what several share. */
  number: z.optional(z.number()),
  key: z.string(),
  text: z.string(),
});

export type KeptInput = z.infer<typeof keptInput>;
