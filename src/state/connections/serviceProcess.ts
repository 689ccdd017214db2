import type { Readable } from 'node:stream';

/** The longest part that is kept of a line that the service writes, in characters. */
const longestLine = 2000;

/** Reads the lines of a stream. Keeps only the beginning of a long one. */
export function readLines(stream: Readable | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const [last = '', ...lines] = `${rest}${chunk}`.split('\n').toReversed();
    for (const line of lines.toReversed()) take(line.trimEnd().slice(0, longestLine));
    rest = last.slice(0, longestLine);
  });
  stream?.on('end', () => rest === '' || take(rest));
}

/** The environment without variables that change how Node.js, VS Code or the service starts. */
export function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^(NODE_|VSCODE_|DEPLOYMENT_MANAGER_)/.test(name));
  // Keeps Windows from searching the working folder for programs that the service runs.
  return { ...Object.fromEntries(kept), NoDefaultCurrentDirectoryInExePath: '1' };
}
