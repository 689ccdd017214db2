import * as l10n from '@vscode/l10n';

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
  if (imageReference.test(reference.replace(/@.*/s, '')))
    return l10n.t('The digest must be an algorithm and at least 32 hexadecimal digits, such as "sha256:…".');
  return l10n.t('The image reference must look like "registry.example/name:tag", with the name in lowercase.');
}

/** Whether a reference names the same image forever: by its digest, not by a tag that can move. */
export function hasDigest(reference: string): boolean {
  return reference.includes('@');
}

/** Whether a reference without a digest names a tag. A colon before a path is that of a port. */
export function hasTag(reference: string): boolean {
  return /:[^/]*$/.test(reference);
}

/** Explains why Kubernetes can't pull an image with such a long name; undefined if it can. */
export function imageNameAdvice(reference: string): string | undefined {
  const [name = ''] = reference.slice(0, longestImageReference).split('@');
  return name.replace(/:[^:/]*$/, '').length > longestImageName
    ? l10n.t("Kubernetes can't pull an image whose name is longer than {0} characters.", longestImageName)
    : undefined;
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
