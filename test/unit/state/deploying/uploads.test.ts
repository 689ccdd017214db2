import { beforeEach, describe, expect, it } from 'vitest';
import { rememberUpload, uploadNoteOf } from '../../../../src/state/deploying/uploads.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';

let memory: InMemoryMemory;

beforeEach(() => {
  memory = new InMemoryMemory();
});

describe('where an upload came from', () => {
  it('is remembered for its revision', async () => {
    await rememberUpload(memory, 'r1', 'uploaded from laptop');
    await rememberUpload(memory, 'r2', 'uploaded from desk');
    expect(['r1', 'r2', 'r3'].map((id) => uploadNoteOf(memory, id))).toEqual([
      'uploaded from laptop',
      'uploaded from desk',
      undefined,
    ]);
  });

  it('is forgotten after a hundred others', async () => {
    for (let count = 0; count <= 100; count += 1) await rememberUpload(memory, `r${count}`, 'uploaded');
    expect(['r0', 'r1'].map((id) => uploadNoteOf(memory, id))).toEqual([undefined, 'uploaded']);
  });

  it.each([
    ['another value', 'text'],
    ['no words', [{ revisionId: 'r1', words: 1 }]],
  ])('is not known from %s', async (_, stored) => {
    await memory.update('uploads', stored);
    expect(uploadNoteOf(memory, 'r1')).toBeUndefined();
  });
});
