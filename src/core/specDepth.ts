import { Lexer } from 'yaml';

/**
 * Whether brackets, or dashes and question marks on one line, are nested deeper than a limit. The library finds that
 * out by running out of stack, again and again, which takes seconds; this takes one pass over the words of the text.
 */
export function isNestedDeeper(text: string, limit: number): boolean {
  const openers = text.match(/[[{]|[-?][ \t]+(?=[-?])/g);
  if (openers === null || openers.length <= limit) return false;
  let brackets = 0;
  let marks = 0;
  for (const word of new Lexer().lex(text)) {
    if (word === '[' || word === '{') brackets += 1;
    else if (word === ']' || word === '}') brackets = Math.max(brackets - 1, 0);
    else if (word === '-' || word === '?') marks += 1;
    else if (word.endsWith('\n')) marks = 0;
    if (brackets > limit || marks > limit) return true;
  }
  return false;
}
