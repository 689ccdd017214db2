import type { Document, DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';
import { Composer, Lexer, Parser } from 'yaml';

/** Levels of maps and lists in a text; the service counts the same way. */
export const deepestNesting = 64;

/**
 * Parses YAML that somebody else wrote, of which at most two documents are of interest. Undefined when it is nested
 * deeper than `deepestNesting`. The text must be of a limited length: the caller says in its own words what is too long.
 */
export function composeYaml(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): Document.Parsed[] | undefined {
  if (isNestedDeeper(text, deepestNesting)) return undefined;
  try {
    return withoutStackTraces(() =>
      [...new Composer(options).compose(new Parser().parse(text), true, text.length)].slice(0, 2),
    );
  } catch {
    // The library throws nothing but that it ran out of stack, on a nesting that was not counted above.
    return undefined;
  }
}

/**
 * Whether brackets, or dashes, question marks and colons with nothing between them that ends an entry, are nested deeper
 * than a limit. The library finds that out by running out of stack, again and again, which takes seconds; this takes one
 * pass over the words of the text.
 */
function isNestedDeeper(text: string, limit: number): boolean {
  const openers = text.match(/[[{:]|[-?][ \t]+(?=[-?])/g);
  if (openers === null || openers.length <= limit) return false;
  let brackets = 0;
  let marks = 0;
  for (const word of new Lexer().lex(text)) {
    if (word === '-' || word === '?' || word === ':') marks += 1;
    else if (word === ',' || (brackets === 0 && word.endsWith('\n'))) marks = 0;
    else if (word === '[' || word === '{') brackets += 1;
    else if (word === ']' || word === '}') brackets = Math.max(brackets - 1, 0);
    if (brackets > limit || marks > limit) return true;
  }
  return false;
}

/**
 * The library makes one error object for each mistake, up to one for each character of a hostile text, and the stacks
 * that they would carry take seconds. Nobody reads these stacks.
 */
function withoutStackTraces<Result>(work: () => Result): Result {
  const limit: unknown = Reflect.get(Error, 'stackTraceLimit');
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return work();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}
