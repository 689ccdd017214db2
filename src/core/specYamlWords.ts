import * as l10n from '@vscode/l10n';
import type { ErrorCode, YAMLError } from 'yaml';

/** Says a mistake in YAML in words that help; the library's own words are kept where there are no better ones. */
export function yamlErrorWords({ code, message }: YAMLError): string {
  if (code === 'MISSING_CHAR' && message.includes('quote')) return l10n.t('The closing quote of a text is missing.');
  const mixedUp = l10n.t('This key and its value are mixed up: look for a missing line break, space or quote.');
  const noTags = l10n.t('Tags that begin with "!" are not supported here. Remove it.');
  const words: Partial<Record<ErrorCode, string>> = {
    TAB_AS_INDENT: l10n.t('Indent with spaces: YAML does not allow tabs here.'),
    BAD_INDENT: l10n.t('The indentation of this line does not fit the lines around it.'),
    BLOCK_AS_IMPLICIT_KEY: mixedUp,
    MULTILINE_IMPLICIT_KEY: mixedUp,
    TAG_RESOLVE_FAILED: noTags,
    BAD_COLLECTION_TYPE: noTags,
    BAD_SCALAR_START: l10n.t('This value begins with a character that YAML reserves. Put it in quotes.'),
    BAD_DIRECTIVE: l10n.t('Lines that begin with "%" are not supported here. Remove it.'),
    MISSING_CHAR: l10n.t('Something is missing here, such as a colon, a quote, a bracket, a comma or a line break.'),
  };
  return words[code] ?? l10n.t('This is not valid YAML: {0}', sentence(message));
}

function sentence(message: string): string {
  const [line = ''] = message.split('\n', 1);
  const text = line.trim().slice(0, 120);
  return text.endsWith('.') ? text : `${text}.`;
}
