/** What handles each kind of message. A table without one of them doesn't compile. */
export type Handlers<Messages> = { readonly [Type in keyof Messages]: (message: Messages[Type]) => void };

/** One message of a table of messages by type. */
export type MessageOf<Messages, Type extends keyof Messages = keyof Messages> = {
  [Each in Type]: { readonly type: Each } & Messages[Each];
}[Type];

/** Hands a message to its handler. */
export function handle<Messages, Type extends keyof Messages>(
  handlers: Handlers<Messages>,
  message: MessageOf<Messages, Type>,
): void {
  handlers[message.type](message);
}
