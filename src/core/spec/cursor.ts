import { isNumberKey, isOtherKey, isSpecKey, specKeys } from './fields.ts';
import { otherShapes, shapeAt } from './shapes.ts';
import type { Shape } from './shapes.ts';

/** What can be written at a place of a spec: found by indentation, because a text is rarely valid while it is typed. */
export interface CursorPlace {
  /** The keys above the place, outermost first; positions in lists are left out. */
  readonly parents: readonly string[];
  /** The key on the same line when the place is behind its colon. */
  readonly key: string | undefined;
  /** The keys that stand beside the place already. */
  readonly siblings: ReadonlySet<string>;
}

export interface Suggestion {
  readonly kind: 'key' | 'value';
  readonly text: string;
  /** Whether a list or keys and values follow on the lines below. */
  readonly isBlock: boolean;
}

const keyLine = /^(?<indent>[ ]*)(?<dashes>(?:- +)*)(?<key>[^\s#:'"[\]{}]+):(?=\s|$)/;

/** Finds the place of a cursor; line and column count from 0, as editors count. */
export function cursorPlace(lines: readonly string[], line: number, column: number): CursorPlace {
  const before = (lines[line] ?? '').slice(0, column);
  const own = keyOf(before);
  const indent = own?.indent ?? /^[ ]*(?:- +)*/.exec(before)?.[0].length ?? 0;
  const parents: string[] = [];
  let level = indent;
  for (let above = line - 1; above >= 0 && level > 0; above -= 1) {
    const candidate = keyOf(lines[above] ?? '');
    // The items of a list may stand right below their key, at its own indentation.
    const isParent = candidate !== undefined && candidate.indent < level && candidate.opens;
    if (!isParent) continue;
    parents.unshift(candidate.key);
    level = candidate.lineIndent === candidate.indent ? candidate.indent : candidate.lineIndent + 1;
    if (candidate.indent === 0) break;
  }
  return { parents, key: own?.key, siblings: siblingsOf(lines, line, indent) };
}

/** What fits at a place: keys of the table and of containers and volumes, and values where there is a choice. */
export function suggestionsAt({ parents, key, siblings }: CursorPlace): readonly Suggestion[] {
  if (key !== undefined) return valuesOf(shapeBelow([...parents, key]));
  if (parents.length === 0) {
    return specKeys
      .filter((name) => !siblings.has(name))
      .map((text) => ({ kind: 'key', text, isBlock: isBlockKey(text) }));
  }
  const shape = shapeBelow(parents);
  if (shape?.kind !== 'record') return [];
  return Object.entries(shape.fields)
    .filter(([name]) => !siblings.has(name))
    .map(([text, field]) => ({ kind: 'key', text, isBlock: field.kind !== 'text' && field.kind !== 'flag' }));
}

/** The key of the spec whose help fits at a place: only top-level keys have one. */
export function helpKeyAt(place: CursorPlace): (typeof specKeys)[number] | undefined {
  return place.parents.length === 0 && place.key !== undefined && isSpecKey(place.key) ? place.key : undefined;
}

function shapeBelow(path: readonly string[]): Shape | undefined {
  const [top, ...names] = path;
  return top !== undefined && isOtherKey(top) ? shapeAt(top, names) : undefined;
}

function valuesOf(shape: Shape | undefined): readonly Suggestion[] {
  const values = shape?.kind === 'flag' ? ['true', 'false'] : shape?.kind === 'text' ? (shape.values ?? []) : [];
  return values.map((text) => ({ kind: 'value', text, isBlock: false }));
}

function isBlockKey(key: (typeof specKeys)[number]): boolean {
  return !isNumberKey(key) && otherShapes[key].kind !== 'text';
}

interface KeyLine {
  readonly key: string;
  /** The column of the key itself; a dash before it counts as indentation. */
  readonly indent: number;
  readonly lineIndent: number;
  /** Whether its value stands on the lines below. */
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

/** The keys of the same map: up and down from the line, until something stands further left. */
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
