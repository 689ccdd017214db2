import * as l10n from '@vscode/l10n';

/** The names that the secrets and the secret references of a draft have. */
interface TakenNames {
  readonly secrets: readonly string[];
  readonly references: readonly string[];
}

/**
 * Explains why a name isn't valid for a secret or a secret reference. Undefined if it is.
 * The platform sets reserved names itself and rejects them as secrets.
 */
export function secretNameProblem(
  name: string,
  reservedNames: readonly string[],
  taken: TakenNames = { secrets: [], references: [] },
): string | undefined {
  if (name === '') return l10n.t('Enter a name for the secret.');
  if (/[\s=\p{Cc}]/u.test(name)) return l10n.t('A secret\'s name can\'t contain spaces, line breaks, or "=".');
  if (reservedNames.includes(name)) {
    return l10n.t("{0} is set by the platform and can't be a secret. Choose another name.", name);
  }
  if (taken.secrets.includes(name)) return l10n.t('A secret with this name already exists.');
  return taken.references.includes(name) ? l10n.t('A secret reference with this name already exists.') : undefined;
}
