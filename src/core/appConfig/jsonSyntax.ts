import * as l10n from '@vscode/l10n';

interface JsonSyntaxError {
  /** Index of the first unexpected character. */
  offset: number;
  /** A phrase that names what was expected there. Never quotes the file. */
  expected: string;
}

/**
 * Finds the first syntax error in a JSON text. Undefined if the text is valid.
 * The engine's own messages give no location for most mistakes and quote the text, which may hold secret values.
 */
export function findJsonError(text: string): JsonSyntaxError | undefined {
  const open: ('}' | ']')[] = [];
  let offset = skipSpace(text, 0);
  let expecting: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'commaOrEnd' = 'value';
  for (;;) {
    const closing = open.at(-1);
    if (expecting === 'commaOrEnd') {
      if (closing === undefined) {
        return offset === text.length ? undefined : { offset, expected: l10n.t('the end of the file') };
      }
      if (text[offset] === ',') {
        offset = skipSpace(text, offset + 1);
        expecting = closing === '}' ? 'key' : 'value';
      } else if (text[offset] === closing) {
        open.pop();
        offset = skipSpace(text, offset + 1);
      } else {
        return { offset, expected: l10n.t('a comma or "{0}"', closing) };
      }
    } else if ((expecting === 'keyOrEnd' || expecting === 'valueOrEnd') && text[offset] === closing) {
      open.pop();
      offset = skipSpace(text, offset + 1);
      expecting = 'commaOrEnd';
    } else if (expecting === 'key' || expecting === 'keyOrEnd') {
      const keyEnd = tokenEnd(text, offset, stringToken);
      if (keyEnd === undefined) {
        return textError(text, offset) ?? { offset, expected: l10n.t('a name in double quotes') };
      }
      offset = skipSpace(text, keyEnd);
      if (text[offset] !== ':') {
        return { offset, expected: l10n.t('a colon') };
      }
      offset = skipSpace(text, offset + 1);
      expecting = 'value';
    } else if (text[offset] === '{' || text[offset] === '[') {
      open.push(text[offset] === '{' ? '}' : ']');
      expecting = text[offset] === '{' ? 'keyOrEnd' : 'valueOrEnd';
      offset = skipSpace(text, offset + 1);
    } else {
      const valueEnd = tokenEnd(text, offset, stringToken) ?? tokenEnd(text, offset, plainToken);
      if (valueEnd === undefined) {
        return textError(text, offset) ?? { offset, expected: l10n.t('a value') };
      }
      offset = skipSpace(text, valueEnd);
      expecting = 'commaOrEnd';
    }
  }
}

/** Finds the error in a double-quoted string. Undefined if there is no opening quote. */
function textError(text: string, offset: number): JsonSyntaxError | undefined {
  const end = tokenEnd(text, offset, openStringToken);
  if (end === undefined) {
    return undefined;
  }
  const expected =
    text[end] === '\\' ? l10n.t('an escape such as \\n, or \\\\ for a backslash') : l10n.t('a closing double quote');
  return { offset: end, expected };
}

/** An opening quote, followed by escapes and characters from the space up, except quotes and backslashes. */
const openStringToken = /"(?:[ !#-[\]-\uffff]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*/y;
const stringToken = new RegExp(`${openStringToken.source}"`, 'y');
const plainToken = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const spaceToken = /[ \t\r\n]*/y;

function tokenEnd(text: string, offset: number, token: RegExp): number | undefined {
  token.lastIndex = offset;
  return token.test(text) ? token.lastIndex : undefined;
}

function skipSpace(text: string, offset: number): number {
  return tokenEnd(text, offset, spaceToken) ?? offset;
}
