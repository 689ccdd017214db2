import { shortened } from '../core/shortened.ts';

/** The most that a message shows, in characters. */
const longestMessage = 2_000;

/**
 * A text of the service or of a person for a message or the prompt of a question, where VS Code makes a link of
 * `[words](address)`, also one that runs a command.
 */
export function withoutLinks(text: string): string {
  return shortened(text, longestMessage).replaceAll('](', '] (');
}
