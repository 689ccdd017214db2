import { shortened } from '../core/shortened.ts';

/** The most that a row of a quick pick shows, in characters. */
const longestRow = 300;

/** A text of the service, of a file or of a person for a quick pick or the status bar, where `$(name)` is an icon. */
export function withoutIcons(text: string): string {
  return shortened(text, longestRow).replaceAll('$(', '$ (');
}
