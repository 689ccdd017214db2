import { describe, expect, it } from 'vitest';
import {
  shortened,
  shortenedName,
  spokenRow,
  withoutIcons,
  withoutLinks,
  wrapLines,
} from '../../../../src/core/text/text.ts';

// As text, this name reads "agent-dorp" or "agent-prod" depending on what it is drawn with.
const name = 'agent-\u202Edorp\u202C';
const shown = 'agent-⟨U+202E⟩dorp⟨U+202C⟩';

describe('a character that changes the direction of a text', () => {
  it.each([
    ['a row, a title or a tooltip', shortened],
    ['a name that is short enough', (text: string) => shortenedName(text, 20)],
    ['a quick pick or the status bar', withoutIcons],
    ['a message or a prompt', withoutLinks],
    ['the lines of a message', (text: string) => wrapLines(text, 60).join()],
  ])('is shown in %s', (_, show) => {
    expect(show(name)).toBe(shown);
  });

  it('is shown whichever it is, and other letters stay', () => {
    const all = '\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069';
    expect(shortened(all)).toMatch(/^(?:⟨U\+[0-9A-F]{4}⟩){12}$/);
    expect(shortened('سلام · שלום · é 🚀')).toBe('سلام · שלום · é 🚀');
  });

  it('is shown in a name that was shortened', () => {
    expect(shortenedName(`${name}-of-a-team`, 18)).toBe('agent…p⟨U+202C⟩-of-a-team');
  });

  it("doesn't make a short text long enough to be cut", () => {
    expect(shortened('\u202E'.repeat(60), 60)).not.toContain('…');
  });

  it("isn't read aloud, because a screen reader follows the order of the letters", () => {
    expect(spokenRow(shortened(name), `${shown} · Ready`)).toBe('agent-dorp, agent-dorp, Ready');
  });
});
