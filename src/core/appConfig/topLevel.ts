/**
 * The line of a Python, JavaScript or TypeScript file where a top-level name is defined or imported, counted from 1.
 * Undefined if there is none.
 */
export function definitionLine(text: string, name: string): number | undefined {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]{0,200}$/u.test(name)) return undefined;
  const defines = definitionTest(name);
  let line = 1;
  for (const statement of topLevelStatements(text)) {
    if (defines(statement)) return line;
    line += statement.split('\n').length - 1;
  }
  return undefined;
}

/** Splits the code of a file. A line begins a statement if it isn't indented and doesn't close a bracket. */
export function topLevelStatements(text: string): readonly string[] {
  return text.split(/^(?![\s)\]}]|$)/m);
}

function definitionTest(name: string): (statement: string) => boolean {
  const letters = String.raw`\p{L}\p{N}_$`;
  const word = String.raw`${name.replaceAll('$', String.raw`\$`)}(?![${letters}])`;
  const keyword = String.raw`(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function\s*\*?|const|let|var)\s+`;
  const othersBefore = String.raw`(?:module\.exports\.|exports\.|(?:[${letters}]+\s*,\s*)*)`;
  const othersAndType = String.raw`\s*(?:,[${letters},\s]*)?(?::[^=]*)?`;
  const defined = new RegExp(`^(?:${keyword}${word}|${othersBefore}${word}${othersAndType}=(?!=))`, 'u');
  const imported = new RegExp(String.raw`(?<![${letters}.])${word}(?!\s+as\b)`, 'u');
  return (statement) => {
    const [, names] = /^(?:from\s[^\n]*?\simport\b|import\b|export\s*\{)(.*)$/s.exec(statement) ?? [];
    if (names !== undefined) return imported.test(names);
    return defined.test(statement) || (name === 'default' && /^export\s+default\b/.test(statement));
  };
}
