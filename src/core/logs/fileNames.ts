import { resolveFromConfig } from '../appConfig/paths.ts';

/** A file and a line that a log names. */
export interface NamedLine {
  /** Where the name stands, as an offset in the text. */
  readonly start: number;
  readonly end: number;
  /** Where the file may be, relative to the root of the repository, the likeliest first. */
  readonly paths: readonly string[];
  /** Counted from 1. */
  readonly line: number;
}

/** More would hold up the editor, which asks again after each change. */
const mostNames = 2_000;

/**
 * The files of a repository that a text may name with a line, as `path:line` and as `File "path", line N`.
 * A relative path counts from the root or from the folder of the config file. An absolute one is of the machine that
 * built, so each end of it is tried. Only the caller can tell which of them exists.
 */
export function namedLines(text: string, configPath = ''): readonly NamedLine[] {
  const found: NamedLine[] = [];
  for (const { 0: name, 1: quoted, 2: quotedLine, 3: plain, 4: plainLine, index } of text.matchAll(fileAndLine)) {
    if (found.length === mostNames) break;
    const paths = pathsOf(quoted ?? plain ?? '', configPath);
    if (paths.length === 0) continue;
    found.push({ start: index, end: index + name.length, paths, line: Number(quotedLine ?? plainLine) });
  }
  return found;
}

/** Files of other packages, and of the language itself. */
const foreign = /(?:^|[/\\])(?:site-packages|dist-packages|node_modules|lib[/\\]python[\d.]*)[/\\]/;

/** The folders of the machine that built, above the repository. */
const mostFolders = 6;

function pathsOf(name: string, configPath: string): readonly string[] {
  if (foreign.test(name)) return [];
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(name);
  const bases = isAbsolute ? [''] : ['', configPath];
  // A file's name alone would be found anywhere.
  const parts = name.split(/[/\\]+/).filter((part) => part !== '');
  const ends = isAbsolute
    ? parts
        .slice(0, -1)
        .map((_, place) => parts.slice(place).join('/'))
        .slice(0, mostFolders)
    : [name];
  return [...new Set(ends.flatMap((end) => bases.flatMap((base) => resolveFromConfig(base, end) ?? [])))];
}

// The look-behind keeps it from starting inside a longer path or an address.
const fileAndLine =
  /File "([^"\n]{1,300})", line (\d{1,6})|(?<![\w.@/\\:-])((?:[A-Za-z]:)?[/\\]?[\w.@-]{1,100}(?:[/\\][\w.@-]{1,100}){0,20}\.[A-Za-z]\w{0,9}):(\d{1,6})\b/g;
