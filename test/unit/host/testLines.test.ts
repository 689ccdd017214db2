import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { testLines } from '../../host/testLines.mts';

describe('The lines of the tests inside VS Code', () => {
  it('are told from VS Code’s own, however they are cut into pieces', async () => {
    const tests = collector();
    const others = collector();
    const lines = testLines(tests.stream, others.stream);
    for (const piece of ['noise\n[te', 'st]   ✓ works\n[test] ', 'next\n', 'no [test] here\n']) lines.write(piece);
    await new Promise<void>((resolve) => lines.end(resolve));
    expect(tests.text()).toBe('  ✓ works\nnext\n');
    expect(others.text()).toBe('noise\nno [test] here\n');
  });
});

function collector() {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      pieces.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => pieces.join('') };
}
