import * as l10n from '@vscode/l10n';
import type { Listener, ListenerPatch } from '../../api/resources/listeners.ts';
import { firstNames } from '../text/text.ts';
import { namespacesOf } from './listeners.ts';

/** The longest name of a namespace (a DNS label). */
const longestName = 63;

/** Explains why a text isn't a valid Kubernetes namespace (a DNS label). Undefined if it is. */
export function namespaceProblem(name: string): string | undefined {
  if (name === '') return l10n.t('Enter the name of a namespace.');
  if (name.length > longestName) {
    return l10n.t('A namespace has at most {0} characters; this one has {1}.', longestName, name.length);
  }
  if (/[^a-z0-9-]/i.test(name)) return l10n.t('A namespace can contain only lowercase letters, digits, and hyphens.');
  if (name.startsWith('-') || name.endsWith('-')) {
    return l10n.t('A namespace must start and end with a letter or digit.');
  }
  return /[A-Z]/.test(name)
    ? l10n.t('A namespace can\'t contain capital letters. Use "{0}".', name.toLowerCase())
    : undefined;
}

/** What a user wants a listener to have. An empty version is none. */
interface WantedListener {
  readonly namespaces: readonly string[];
  readonly version: string;
}

/** The body of an update, with only the values that differ. Undefined if none does. */
export function listenerPatch(listener: Listener, { namespaces, version }: WantedListener): ListenerPatch | undefined {
  const present = namespacesOf(listener);
  const isSame = present.length === namespaces.length && namespaces.every((name) => present.includes(name));
  const patch: ListenerPatch = {
    ...(isSame ? {} : { compute_config: { k8s_namespaces: [...namespaces] } }),
    ...(version === '' || version === listener.version ? {} : { version }),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Explains why a version can't be left out; undefined if it can. Absent means "unchanged" to the service. */
export function removedVersionProblem({ version = '' }: Listener, wanted: string): string | undefined {
  return version === '' || wanted !== ''
    ? undefined
    : l10n.t('The version can be changed, but not removed. It is {0}.', version);
}

/** The deployments that run on a listener. */
export interface ListenerUsers {
  readonly names: readonly string[];
  /** False if not all deployments could be searched. */
  readonly isWhole: boolean;
}

/** Says which deployments use a listener that is about to be deleted. */
export function usersWords({ names, isWhole }: ListenerUsers): string {
  const listed = firstNames(names, 10);
  const used =
    names.length === 1
      ? l10n.t('1 deployment uses it: {0}. The service may refuse to delete it.', listed)
      : l10n.t('{0} deployments use it: {1}. The service may refuse to delete it.', names.length, listed);
  const more = l10n.t('Not all deployments could be checked, so others may use it.');
  if (names.length === 0) return isWhole ? l10n.t('No deployment uses it.') : more;
  return isWhole ? used : `${used} ${more}`;
}
