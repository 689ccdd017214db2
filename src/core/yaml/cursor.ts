/** The surroundings of the cursor, found by indentation: a text is rarely valid while the user is typing. */
export interface CursorPlace {
  /** The keys above the cursor, outermost first, without list positions. */
  readonly parents: readonly string[];
  /** The key on the same line if the cursor is after its colon. */
  readonly key: string | undefined;
  /** The keys already next to the cursor in the same map. */
  readonly siblings: ReadonlySet<string>;
}

const keyLine = /^(?<indent>[ ]*)(?<dashes>(?:- +)*)(?<key>[^\s#:'"[\]{}]+):(?=\s|$)/;

/** Finds the surroundings of the cursor. Line and column count from 0, as in editors. */
export function cursorPlace(lines: readonly string[], line: number, column: number): CursorPlace {
  const before = (lines[line] ?? '').slice(0, column);
  const own = keyOf(before);
  const indent = own?.indent ?? /^[ ]*(?:- +)*/.exec(before)?.[0].length ?? 0;
  const parents: string[] = [];
  let level = indent;
  for (let above = line - 1; above >= 0 && level > 0; above -= 1) {
    const candidate = keyOf(lines[above] ?? '');
    // The items of a list may have the same indentation as its key.
    const isParent = candidate !== undefined && candidate.indent < level && candidate.opens;
    if (!isParent) continue;
    parents.unshift(candidate.key);
    level = candidate.lineIndent === candidate.indent ? candidate.indent : candidate.lineIndent + 1;
    if (candidate.indent === 0) break;
  }
  return { parents, key: own?.key, siblings: siblingsOf(lines, line, indent) };
}

interface KeyLine {
  readonly key: string;
  /** The column of the key itself. A dash before it counts as indentation. */
  readonly indent: number;
  readonly lineIndent: number;
  /** Whether the value is on the lines below. */
  readonly opens: boolean;
}

function keyOf(line: string): KeyLine | undefined {
  const match = keyLine.exec(line);
  const { indent = '', dashes = '', key } = match?.groups ?? {};
  if (match === null || key === undefined) return undefined;
  const rest = line.slice(match[0].length).trim();
  return {
    key,
    indent: indent.length + dashes.length,
    lineIndent: indent.length,
    opens: rest === '' || rest.startsWith('#'),
  };
}

/** The keys of the same map. Searches up and down until a line with less indentation. */
function siblingsOf(lines: readonly string[], line: number, indent: number): ReadonlySet<string> {
  const found = new Set<string>();
  const beginsItem = /^ *- /.test(lines[line] ?? '');
  for (const step of beginsItem ? [1] : [-1, 1]) {
    for (let at = line + step; at >= 0 && at < lines.length; at += step) {
      const text = lines[at] ?? '';
      if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
      const other = keyOf(text);
      const textIndent = other?.indent ?? text.length - text.trimStart().length;
      const isItemStart = step === 1 && other !== undefined && other.lineIndent < indent;
      if (textIndent < indent || isItemStart) break;
      if (other?.indent === indent) found.add(other.key);
      if (step === -1 && other !== undefined && other.indent === indent && other.lineIndent < indent) break;
    }
  }
  return found;
}
