import { safeText } from '../../api/http/redact.ts';

/** The most text of git to read, in characters. A server's hook may print any amount. */
const longestOutput = 20_000;

/**
 * Git's own words about a failure: the messages of the remote and the reason of a rejection.
 * Leaves out hints, addresses, passwords and progress. Empty if no message is left.
 */
export function gitWords(output: string): string {
  const lines = output.slice(0, longestOutput).split(/[\n\r]/);
  const words = lines.map(wordsOf).filter((line) => line !== '');
  return safeText([...new Set(words)].join('. '));
}

function wordsOf(line: string): string {
  const words = (rejectionIn(line) ?? /^(?:remote|error|fatal):(.*)$/.exec(line)?.[1] ?? '').trim().replace(/\.$/, '');
  // This only repeats the address.
  return words.startsWith('failed to push some refs') ? '' : words;
}

/** The reason in a line such as ` ! [rejected]  main -> main (fetch first)`. */
function rejectionIn(line: string): string | undefined {
  if (!/^ ! \[[a-z ]*rejected\]/.test(line)) return undefined;
  return line.slice(line.lastIndexOf('(') + 1, line.lastIndexOf(')'));
}
