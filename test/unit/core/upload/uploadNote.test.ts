import { expect, it } from 'vitest';
import { formatMoment } from '../../../../src/core/status/duration.ts';
import { uploadNoteWords } from '../../../../src/core/upload/uploadNote.ts';

const at = Date.parse('2026-03-02T13:00:00Z');
const commit = '3f2a9c1d'.repeat(5);
const words = (checkout?: { commit: string; changes: number }) => uploadNoteWords({ host: 'laptop', at, checkout });

it('an upload is said to come from a machine, at a time, and from a commit with changes', () => {
  const start = `uploaded from laptop at ${formatMoment(at)}`;
  expect(words()).toBe(start);
  expect(words({ commit, changes: 0 })).toBe(`${start}, 3f2a9c1`);
  expect(words({ commit, changes: 1 })).toBe(`${start}, 3f2a9c1 + 1 change`);
  expect(words({ commit, changes: 2 })).toBe(`${start}, 3f2a9c1 + 2 changes`);
});
