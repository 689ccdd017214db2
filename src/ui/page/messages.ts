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

/** YAML that was typed for a resource, by the position of its deployment, and that the file can't have as it is. */
export const keptInput = z.object({ index: z.number(), key: z.string(), text: z.string() });

export type KeptInput = z.infer<typeof keptInput>;
