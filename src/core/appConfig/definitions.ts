import { sourceLanguage } from './paths.ts';

/** In characters. What comes after that on a line is code of another kind. */
const longestLine = 300;

/**
 * The line, counted from 1, where code defines a name at its top level, as a graph of a config needs it. Undefined if it
 * doesn't, and 'unknown' where a search by lines can't tell, such as for a star import or another language.
 */
export function findDefinition(code: string, name: string, path: string): number | 'unknown' | undefined {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]{0,200}$/u.test(name)) return 'unknown';
  const literal = name.replaceAll('$', '\\$');
  const language = sourceLanguage(path);
  if (language === 'python') {
    // Any of these can define a name that the text doesn't have at its top level.
    const isOpen = /\bimport\s*\*|\b__getattr__\b|\bglobals\(\)|\bsetattr\(/.test(code);
    return findInPython(code, `(?<![\\w.])${literal}(?!\\w)`) ?? (isOpen ? 'unknown' : undefined);
  }
  if (language === undefined) return 'unknown';
  const isOpen = /\bexport\s*[*=]|\bexports\b/.test(code);
  return findExport(code, `(?<![\\w$])${literal}(?![\\w$])`) ?? (isOpen ? 'unknown' : undefined);
}

function findInPython(code: string, word: string): number | undefined {
  const definition = new RegExp(
    `^(?:async +)?(?:def|class) +${word}|^[^()#]*${word}[^=()]*(?<![=!<>])=(?!=)|\\bimport\\b.*${word}(?! +as\\b)|\\bas +${word}|\\bfor +${word}|^${word} *(?:,|$|#)|^${word} *:.*=|^\\([^()=]*${word}[^()=]*\\) *=(?!=)|^[a-z]+\\b.*(?:: *${word} *=(?!=)|\\( *${word} *:=)|^global\\b.*${word}`,
  );
  const imported = new RegExp(`${word}(?! +as\\b)`);
  // The indentation of what a function, a class or a bracket is around. What is inside isn't at the top level.
  let inside: number | undefined;
  let isInBracket = false;
  let isImporting = false;
  for (const [index, line] of code.split(/\r?\n/).entries()) {
    const text = line.slice(0, longestLine).trim();
    const indent = line.length - line.trimStart().length;
    if (/^(?:$|#)/.test(text)) continue;
    if (/^[)\]}]/.test(text)) {
      // It may also end the parameters of a function, which goes on.
      if (isInBracket && inside !== undefined && indent <= inside) inside = undefined;
      isImporting = false;
      continue;
    }
    if (isImporting && imported.test(text)) return index + 1;
    const isInside = inside !== undefined && indent > inside;
    if ((!isInside || text.startsWith('global ')) && definition.test(text)) return index + 1;
    if (!isInside) {
      isImporting = /^from\b.*\($/.test(text);
      isInBracket = !/^(?:async +)?(?:def|class)\b/.test(text);
      inside = opening.test(text) ? indent : undefined;
    }
  }
  return undefined;
}

/** A list of imported names isn't inside: its names are defined. */
const opening = /^(?:async +)?(?:def|class)\b|^(?!from\b).*[([{]$/;

/** It may hold what would end a statement. */
const stringLiteral = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g;

/** Looks once at each statement after the word `export`, or after the object `exports`. */
function findExport(code: string, word: string): number | 'unknown' | undefined {
  const declaration = `(?:declare\\s+|abstract\\s+|async\\s+)*(?:(?:const|let|var|class|enum|namespace)\\s+|function(?:\\s*\\*\\s*|\\s+))${word}`;
  const exported = new RegExp(`^(?:\\s+(?:${declaration}|(?=default\\b)${word})|\\s*\\{[^}]*${word}|s\\.${word}\\s*=)`);
  // The name may be one of several that are declared.
  const several = new RegExp(`^\\s+(?:const|let|var)\\b[^;]*${word}`);
  let isUnknown = false;
  let line = 1;
  for (const [index, statement] of code.split(/\bexport/).entries()) {
    const isExport = index > 0;
    if (isExport && exported.test(statement)) return line;
    isUnknown ||= isExport && several.test(statement.replaceAll(stringLiteral, ''));
    line += statement.split('\n').length - 1;
  }
  return isUnknown ? 'unknown' : undefined;
}
