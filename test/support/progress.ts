/** Begins each line with which a tier reports that a test began or ended. */
const mark = '[progress] ';

/** The line that reports a test, a hook or a file of tests. It stands alone, without a line break. */
export function progressLine(event: 'began' | 'ended', name: string): string {
  return `${mark}${event} ${name.replaceAll(/\s+/g, ' ')}`;
}

/** Which tests of a tier are running, as its lines report it. */
export class RunningTests {
  readonly #names = new Set<string>();

  /** Reads a line of the tier, and says whether it is such a report. */
  read(line: string): boolean {
    if (!line.startsWith(mark)) return false;
    const [, event, name = ''] = /^(\w+) (.*)$/.exec(line.slice(mark.length)) ?? [];
    if (event === 'began') this.#names.add(name);
    else for (const ended of this.#names) if (isWithin(ended, name)) this.#names.delete(ended);
    return true;
  }

  /** The innermost ones: a file is left out while one of its tests runs. */
  get names(): readonly string[] {
    const all = [...this.#names];
    return all.filter((name) => !all.some((other) => other !== name && isWithin(other, name)));
  }
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || name.startsWith(`${outer} > `);
}
