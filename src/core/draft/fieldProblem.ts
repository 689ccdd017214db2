import * as l10n from '@vscode/l10n';
import { shownAddress } from '../git/address.ts';
import { parseGitRemote } from '../git/remote.ts';
import { isUsualDeploymentName } from './deploymentName.ts';
import { parseDeploymentRef, deploymentRefText, type DraftField } from './draft.ts';

/** A field whose value is typed. */
export type TextField = Extract<
  DraftField,
  | 'name'
  | 'repositoryUrl'
  | 'integrationId'
  | 'ref'
  | 'configPath'
  | 'imageUri'
  | 'tarballPath'
  | 'customUrl'
  | 'installCommand'
  | 'buildCommand'
>;

const checks = {
  name: (text) => (text === '' ? l10n.t('Enter a name.') : undefined),
  repositoryUrl: repositoryUrlProblem,
  integrationId: (text) => (isUuid(text) ? undefined : l10n.t("Enter the integration's ID, a UUID.")),
  ref: refProblem,
  configPath: (text) => (text === '' ? l10n.t('Enter the path of the config file.') : pathProblem(text)),
  imageUri: (text) => (text === '' ? l10n.t('Enter the reference of the image.') : imageReferenceProblem(text)),
  tarballPath: lineBreakProblem,
  customUrl: customUrlProblem,
  installCommand: lineBreakProblem,
  buildCommand: lineBreakProblem,
} satisfies Record<TextField, (text: string) => string | undefined>;

/** Explains why a text can't be the value of a field; undefined if it can. */
export function fieldProblem(field: TextField, text: string): string | undefined {
  return checks[field](text.trim());
}

/** Explains what others than the service are known to refuse in a value, which can still be sent. */
export function fieldAdvice(field: TextField, text: string): string | undefined {
  if (field === 'name') return nameAdvice(text.trim());
  return field === 'imageUri' && imageName(text.trim()).length > longestImageName
    ? l10n.t("Kubernetes can't pull an image whose name is longer than {0} characters.", longestImageName)
    : undefined;
}

function nameAdvice(name: string): string | undefined {
  if (name === '' || isUsualDeploymentName(name)) return undefined;
  return /\s/.test(name)
    ? l10n.t('Names with spaces are usually rejected. Use letters, digits and hyphens.')
    : l10n.t('Use lowercase letters, digits and hyphens, a letter first, at most 63 characters.');
}

/** An image reference without its tag and digest. */
function imageName(reference: string): string {
  const [name = ''] = reference.slice(0, longestImageReference).split('@');
  return name.replace(/:[^:/]*$/, '');
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

function refProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter a branch, a tag or a commit.');
  return isRefName(deploymentRefText(parseDeploymentRef(text)))
    ? undefined
    : l10n.t('"{0}" can\'t be the name of a branch or a tag.', text);
}

/** The longest URL to send, in characters. */
const longestUrl = 2048;

function repositoryUrlProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter the URL of the repository.');
  if (text.length > longestUrl || parseGitRemote(text) === undefined) {
    return l10n.t("This isn't the URL of a repository, such as https://code.example/acme/agent.");
  }
  return shownAddress(text) === text
    ? undefined
    : l10n.t('Leave out the user name and password. The integration signs in for you.');
}

/** The service takes an address that browsers reach safely, without a user name and password in it. */
function customUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) && text.length <= longestUrl ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return l10n.t('Enter a URL that begins with https://.');
  return url.username === '' && url.password === '' ? undefined : l10n.t('Leave out the user name and password.');
}

/** Explains why a text isn't a path from the root of the repository; undefined if it is. */
function pathProblem(text: string): string | undefined {
  return /^[a-z]:|^\/|\p{Cc}|\/$/iu.test(text) || text.split('/').includes('..')
    ? l10n.t('Enter a path inside the repository, from its root, with the file name.')
    : undefined;
}

function lineBreakProblem(text: string): string | undefined {
  return /\p{Cc}/u.test(text) ? l10n.t('Enter one line without control characters.') : undefined;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/**
 * Explains what is wrong with an image reference; undefined when it is well formed.
 * The form is `[host[:port]/]path[:tag][@algorithm:digest]`. Doesn't check that the image exists.
 */
export function imageReferenceProblem(reference: string): string | undefined {
  if (reference.length > longestImageReference)
    return l10n.t('The image reference is longer than {0} characters.', longestImageReference);
  if (imageReference.test(reference)) return undefined;
  if (/^[a-z]+:\/\//i.test(reference))
    return l10n.t('The image reference can\'t begin with a scheme such as "https://".');
  if (/\s/.test(reference)) return l10n.t("The image reference can't contain spaces.");
  return l10n.t('The image reference must look like "registry.example/name:tag", with the name in lowercase.');
}

/** Whether a reference names the same image forever: by its digest, not by a tag that can move. */
export function hasDigest(reference: string): boolean {
  return reference.includes('@');
}

const longestImageReference = 512;
/** The longest name of an image, with its registry, that container runtimes accept. */
const longestImageName = 255;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const host = String.raw`(?:${label}(?:\.${label})*|\[[0-9a-fA-F:]+\])(?::\d{1,5})?`;
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const tag = String.raw`[A-Za-z0-9_][\w.-]{0,127}`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const imageReference = new RegExp(`^(?:${host}/)?${component}(?:/${component})*(?::${tag})?(?:@${digest})?$`);
