import * as l10n from '@vscode/l10n';
import { shownAddress } from '../git/address.ts';
import { parseGitRemote } from '../git/remote.ts';
import { imageReferenceProblem } from '../spec/imageReference.ts';
import { isUsualDeploymentName } from './deploymentName.ts';
import { parseDeploymentRef, deploymentRefText } from '../git/deploymentRef.ts';

/** Explains what services usually reject in a name. */
export function deploymentNameAdvice(name: string): string | undefined {
  return name === '' || isUsualDeploymentName(name)
    ? undefined
    : l10n.t(
        'Services usually take only lowercase letters, digits and hyphens, a letter first, at most 63 characters.',
      );
}

/**
 * Whether a text can be the name of a ref.
 * Rejects everything that git would read as an expression (`main~1`, `@{upstream}`, ranges, options), because only
 * published refs may be deployed.
 */
export function isRefName(ref: string): boolean {
  return (
    ref.length <= 255 &&
    /^(?![-./])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u.test(ref) &&
    ref !== '@'
  );
}

export function deploymentNameProblem(text: string): string | undefined {
  return text === '' ? l10n.t('Enter a name.') : lineBreakProblem(text);
}

export function refProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter a branch, a tag or a commit.');
  return isRefName(deploymentRefText(parseDeploymentRef(text)))
    ? undefined
    : l10n.t('"{0}" can\'t be the name of a branch or a tag.', text);
}

/** The longest URL to send, in characters. */
const longestUrl = 2048;

export function repositoryUrlProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter the URL of the repository.');
  if (text.length > longestUrl || parseGitRemote(text) === undefined) {
    return l10n.t("This isn't the URL of a repository, such as https://code.example/acme/agent.");
  }
  return shownAddress(text) === text
    ? undefined
    : l10n.t('Leave out the user name and password. The integration signs in for you.');
}

/** The service takes an address that browsers reach safely, without a user name and password in it. */
export function customUrlProblem(text: string): string | undefined {
  if (text.length > longestUrl) return l10n.t('Enter a URL of at most {0} characters.', longestUrl);
  if (!/^https:\/\//i.test(text)) return l10n.t('Enter a URL that begins with https://.');
  if (!URL.canParse(text)) return l10n.t('Enter a complete URL with a host and no spaces.');
  const url = new URL(text);
  return url.username === '' && url.password === '' ? undefined : l10n.t('Leave out the user name and password.');
}

/** A typed path as services take it. */
export function tidyPath(text: string): string {
  return text.trim().replaceAll('\\', '/').replace(/^\.\//, '');
}

/** Explains why a text isn't a path from the root of the repository; undefined if it is. */
export function configPathProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter the path of the config file.');
  return /^[a-z]:|^\/|\p{Cc}|\/$/iu.test(text) || text.split('/').includes('..')
    ? l10n.t('Enter a path inside the repository, from its root, with the file name.')
    : undefined;
}

export function lineBreakProblem(text: string): string | undefined {
  return /\p{Cc}/u.test(text) ? l10n.t('Enter one line without control characters.') : undefined;
}

export function integrationProblem(text: string): string | undefined {
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  return isId ? undefined : l10n.t("Enter the integration's ID, a UUID.");
}

export function imageProblem(text: string): string | undefined {
  return text === '' ? l10n.t('Enter the reference of the image.') : imageReferenceProblem(text);
}

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
