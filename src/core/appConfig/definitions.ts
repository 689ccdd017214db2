/** In characters. What comes after that on a line is code of another kind. */
const longestLine = 300;

/**
 * Whether code may define a name at its top level, as a graph of a config needs it. Only a search by lines: it says yes
 * where it can't tell, such as for a star import or another language.
 */
export function mayDefine(code: string, name: string, path: string): boolean {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) return true;
  if (/\.py$/i.test(path)) return mayDefineInPython(code, name);
  return /\.[cm]?[jt]sx?$/i.test(path) ? mayExport(code, name) : true;
}

function mayDefineInPython(code: string, name: string): boolean {
  // Any of these can define a name that the text doesn't have at its top level.
  if (/\bimport\s*\*|\b__getattr__\b|\bglobals\(\)|\bsetattr\(/.test(code)) return true;
  const word = `(?<![\\w.])${name.replaceAll('$', '\\$')}(?!\\w)`;
  const definition = new RegExp(
    `^(?:async +)?(?:def|class) +${word}|${word}[^=()]*(?<![=!<>])=(?!=)|\\bimport\\b.*${word}|\\bas +${word}|\\bfor +${word}|^${word} *(?:,|$|#)|\\bglobal +${word}`,
  );
  // The indentation of the function or class around a line. What is inside isn't at the top level.
  let inside: number | undefined;
  for (const line of code.split(/\r?\n/)) {
    const text = line.slice(0, longestLine).trimStart();
    const indent = line.length - line.trimStart().length;
    // A bracket may end the parameters of a function.
    if (/^(?:$|[#)\]}])/.test(text)) continue;
    if (inside !== undefined && indent > inside) {
      if (text.startsWith('global ') && definition.test(text)) return true;
      continue;
    }
    if (definition.test(text)) return true;
    inside = /^(?:async +)?(?:def|class)\b/.test(text) ? indent : undefined;
  }
  return false;
}

/** Each statement after the word `export` is looked at once. */
function mayExport(code: string, name: string): boolean {
  if (/\bexport\s*\*|\bmodule\.exports\b|\bexports\b\s*[.[]/.test(code)) return true;
  const word = `(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const exported = new RegExp(
    name === 'default'
      ? `^\\s*default\\b|^\\s*\\{[^}]*${word}`
      : `^\\s*(?:declare\\s+|abstract\\s+|async\\s+)*(?:const|let|var|function\\s*\\*?|class|enum|namespace)\\s+${word}|^\\s*\\{[^}]*${word}|^\\s*(?:const|let|var)\\b[^;]*${word}`,
  );
  return code
    .split(/\bexport\b/)
    .slice(1)
    .some((statement) => exported.test(statement));
}
