/** A test file that a document names, with the titles that follow it. A title has an ellipsis where a table has values. */
export interface NamedTests {
  readonly file: string;
  readonly titles: readonly string[];
}

/** The tests that a document names for its claims, such as `unit/a.test.ts`: _does this_, _does … too_. */
export function namedTests(document: string): readonly NamedTests[] {
  const text = document.replaceAll(/\s+/g, ' ');
  return [...text.matchAll(/`(\w[\w/]*\.test\.ts)`((?:(?!`\w[\w/]*\.test\.ts`|\*\*).)*)/g)].map(
    ([, file = '', after = '']) => ({
      file,
      titles: [...after.matchAll(/(?<=[\s,;:])_([^_].*?)_(?=[\s,;)]|$)/g)].map(([, title = '']) => title),
    }),
  );
}

/** The named tests that were not run. A title may be named in part. */
export function testsNotRun(document: string, ran: readonly string[]): readonly string[] {
  return namedTests(document).flatMap(({ file, titles }) =>
    titles.filter((title) => !ran.some((each) => fits(each, title))).map((title) => `${file}: ${title}`),
  );
}

function fits(title: string, wanted: string): boolean {
  const parts = wanted.split('…').map((part) => part.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(parts.join('.*'), 's').test(title);
}
