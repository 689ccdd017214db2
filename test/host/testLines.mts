import { Writable } from 'node:stream';
import { testLinePrefix } from '../support/vscodeTestRun.ts';

/** Gives a stream that sends the lines of the tests to `tests`, without their mark, and all others to `others`. */
export function testLines(tests: Writable, others: Writable): Writable {
  let unfinished = '';
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      const lines = `${unfinished}${String(chunk)}`.split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) {
        const marked = line.startsWith(testLinePrefix);
        (marked ? tests : others).write(`${marked ? line.slice(testLinePrefix.length) : line}\n`);
      }
      done();
    },
  });
}
