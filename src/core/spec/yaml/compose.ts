import { Composer, Lexer, Parser } from 'yaml';
import type { Document, DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';

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
  if (isNestedTooDeep(text)) return undefined;
  // The library makes one error object for each mistake, up to one for each character of a hostile text, and the stacks
  // that they would carry take seconds. Nobody reads these stacks.
  const limit: unknown = Reflect.get(Error, 'stackTraceLimit');
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return [...new Composer(options).compose(new Parser().parse(text), true, text.length)].slice(0, 2);
  } catch {
    // The library throws nothing but that it ran out of stack, on a nesting that was not counted above.
    return undefined;
  } finally {
    Reflect.set(Error, 'stackTraceLimit', limit);
  }
}

/**
 * Whether brackets, or dashes, question marks and colons with nothing between them that ends an entry, are nested too
 * deep. The library finds that out by running out of stack, again and again, which takes seconds; this takes one
 * pass over the words of the text.
 */
function isNestedTooDeep(text: string): boolean {
  const openers = text.match(/[[{:]|[-?][ \t]+(?=[-?])/g);
  if (openers === null || openers.length <= deepestNesting) return false;
  let brackets = 0;
  let marks = 0;
  for (const word of new Lexer().lex(text)) {
    if (word === '-' || word === '?' || word === ':') marks += 1;
    else if (word === ',' || (brackets === 0 && word.endsWith('\n'))) marks = 0;
    else if (word === '[' || word === '{') brackets += 1;
    else if (word === ']' || word === '}') brackets = Math.max(brackets - 1, 0);
    if (brackets > deepestNesting || marks > deepestNesting) return true;
  }
  return false;
}
