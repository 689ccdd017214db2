import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineEdit, lineEdits } from '../../../../src/core/logs/lineEdits.ts';

/** Edits all at once, as an editor does: each place is one of the text before. */
function edited(before: readonly string[], edits: readonly LineEdit[]): readonly string[] {
  return edits
    .toReversed()
    .reduce<readonly string[]>((text, { start, end, lines }) => text.toSpliced(start, end - start, ...lines), before);
}

const head = 2;
const textOf = (title: string, ...lines: readonly string[]) => [title, 'state', ...lines, ''];

describe('the edits of a log', () => {
  it('add new lines at the end only', () => {
    expect(lineEdits(textOf('a', '1', '2'), textOf('a', '1', '2', '3'), head)).toEqual([
      { start: 4, end: 4, lines: ['3'] },
    ]);
  });

  it('change the head alone', () => {
    expect(lineEdits(textOf('a', '1'), textOf('b', '1'), head)).toEqual([{ start: 0, end: 2, lines: ['b', 'state'] }]);
  });

  it('remove old lines and add new ones, and leave those between them alone', () => {
    expect(lineEdits(textOf('a', '1', '2', '3', '4'), textOf('a', '3', '4', '5'), head)).toEqual([
      { start: 2, end: 4, lines: [] },
      { start: 6, end: 6, lines: ['5'] },
    ]);
  });

  it('put older lines above the others', () => {
    expect(lineEdits(textOf('a', '3', '4'), textOf('a', '1', '2', '3', '4'), head)).toEqual([
      { start: 2, end: 2, lines: ['1', '2'] },
    ]);
  });

  it('are none for the same text', () => {
    expect(lineEdits(textOf('a', '1'), textOf('a', '1'), head)).toEqual([]);
    expect(lineEdits(textOf('a'), textOf('a'), head)).toEqual([]);
  });

  it('lead from any log to any other, and never begin behind the last line', () => {
    const line = fc.constantFrom('', 'a', 'b', 'c');
    const log = fc.tuple(line, fc.array(line, { maxLength: 8 })).map(([title, lines]) => textOf(title, ...lines));
    fc.assert(
      fc.property(log, log, (before, after) => {
        const edits = lineEdits(before, after, head);
        expect(edited(before, edits)).toEqual(after);
        expect(edits.every(({ end }) => end < before.length)).toBe(true);
        const places = edits.flatMap(({ start, end }) => [start, end]);
        expect(places).toEqual(places.toSorted((one, other) => one - other));
      }),
    );
  });
});
