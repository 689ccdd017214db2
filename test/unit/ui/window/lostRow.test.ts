import { expect, test } from 'vitest';
import { isRowLost } from '../../../../src/ui/window/lostRow.ts';

test.each([
  ['the palette or a key', [], false],
  ['the menu of a row', [{ kind: 'deployment', id: 'a' }, undefined], false],
  ['the menu of a row that is being drawn anew', [undefined, undefined], true],
  ['an inline button of such a row', [undefined], true],
])('a command from %s', (_from, args, isLost) => {
  expect(isRowLost(args)).toBe(isLost);
});
