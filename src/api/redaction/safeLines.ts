import { MAX_ENTRY_LENGTH } from '../schema/limits.ts';
import { maskAll, maskedBeginning, maskedText, withoutTerminalCodes } from './redact.ts';

/** The most lines of one log entry to show. */
const MAX_ENTRY_LINES = 1_000;

/**
 * Makes a log entry of a foreign program safe to show, as its lines.
 * Masks the given spellings of secrets and whatever else looks secret, and removes terminal colors and control
 * characters. Of a line that was written over, as progress is, the last state stays.
 */
export function safeLines(text: string, spellings: readonly string[]): readonly string[] {
  // A reader that cut the text off may have cut a secret in two.
  const masked = maskedBeginning(text, spellings, MAX_ENTRY_LENGTH - 1);
  const plain = withoutTerminalCodes(masked)
    .replaceAll(/(?<!\r)\r+(?=\n|$)/g, '')
    .replaceAll(/[\n\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/^[^\n]*\r/gm, '')
    .replaceAll(/(?![\n\t]|\p{Bidi_Control})[\p{Cc}\p{Cf}]/gu, '');
  // Mask again, as in a text of one line.
  const lines = maskedText(maskAll(plain, spellings)).trimEnd().split('\n');
  return lines.length > MAX_ENTRY_LINES ? [...lines.slice(0, MAX_ENTRY_LINES), '…'] : lines;
}
