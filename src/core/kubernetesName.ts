import * as l10n from '@vscode/l10n';

/** The longest name of a namespace (a DNS label). */
const longestName = 63;

/**
 * Says in words why a text cannot be the name of a Kubernetes namespace; undefined when it can.
 * A namespace is a DNS label: lower-case letters, digits and hyphens, with a letter or digit at both ends.
 */
export function namespaceProblem(name: string): string | undefined {
  if (name === '') return l10n.t('Enter the name of a namespace.');
  if (name.length > longestName) {
    return l10n.t('A namespace has at most {0} characters; this one has {1}.', longestName, name.length);
  }
  if (/[^a-z0-9-]/i.test(name)) return l10n.t('A namespace has lower-case letters, digits and hyphens only.');
  if (name.startsWith('-') || name.endsWith('-')) {
    return l10n.t('A namespace starts and ends with a letter or a digit.');
  }
  return /[A-Z]/.test(name)
    ? l10n.t('A namespace has no capital letters. Write "{0}".', name.toLowerCase())
    : undefined;
}
