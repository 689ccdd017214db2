import * as l10n from '@vscode/l10n';
import type { Listener } from '../../api/resources/listeners.ts';
import type { DeploymentType } from '../../api/schema/enums.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { nameOfListener, namespacesOf } from '../resources/listeners.ts';
import type { Finding } from './findings.ts';

/** The ref to deploy. Branches move; tags and commits don't. */
export interface DeploymentRef {
  kind: 'branch' | 'tag' | 'commit';
  name: string;
}

export interface DraftSecret {
  name: string;
  value: string;
}

/** The listener that a deployment will run on, with the data that a review needs. */
export interface DraftListener {
  readonly id: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** A deployment from a repository, edited in the review step before it's sent. */
export interface DeploymentDraft {
  /** The connection to create it on. Every confirmation names it. */
  connectionName: string;
  name: string;
  source: 'repohost';
  integrationId: string;
  repositoryUrl: string;
  ref: DeploymentRef;
  /** Relative to the repository's root, with forward slashes. */
  configPath: string;
  deploymentType: DeploymentType;
  /** Applies only to branches. */
  buildOnPush: boolean;
  secrets: DraftSecret[];
  resourceSpec?: ResourceSpec | undefined;
  /** Missing if the service runs the deployment itself. */
  listener?: DraftListener | undefined;
  /** One of the listener's namespaces. */
  kubernetesNamespace?: string | undefined;
  installCommand?: string | undefined;
  buildCommand?: string | undefined;
}

/** The longest name known to be accepted (a DNS label). */
const longestDeploymentName = 63;

/**
 * Suggests a deployment name: lowercase letters, digits and hyphens, a letter first, at most 63 characters.
 * If the config file is in a folder, adds that folder's name, because a repository may hold several applications.
 */
export function suggestDeploymentName(repositoryName: string, configPath: string): string {
  const folder = configPath.split('/').slice(0, -1).at(-1) ?? '';
  const words = [repositoryName, folder].map(nameWords).filter((word, index, all) => all.indexOf(word) === index);
  const joined = words.filter((word) => word !== '').join('-');
  const named = /^[a-z]/.test(joined) ? joined : `app-${joined}`;
  return named.slice(0, longestDeploymentName).replace(/-+$/, '');
}

/** Returns the name if it's free, else the name with the first free number from 2. */
export function freeDeploymentName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) {
    const ending = `-${number}`;
    free = `${name.slice(0, longestDeploymentName - ending.length).replace(/-+$/, '')}${ending}`;
  }
  return free;
}

/** Whether every service is known to accept a name of this form. */
export function isUsualDeploymentName(name: string): boolean {
  return name.length <= longestDeploymentName && /^[a-z][a-z0-9-]*$/.test(name) && !name.endsWith('-');
}

/**
 * Parses a ref as a user or a service writes it.
 * `refs/tags/…` is a tag, 40 hexadecimal digits are a commit, and `refs/heads/…` or a bare name is a branch.
 */
export function parseDeploymentRef(text: string): DeploymentRef {
  const ref = text.trim();
  if (ref.startsWith('refs/tags/')) {
    return { kind: 'tag', name: ref.slice('refs/tags/'.length) };
  }
  if (/^[0-9a-f]{40}$/i.test(ref)) {
    return { kind: 'commit', name: ref.toLowerCase() };
  }
  return { kind: 'branch', name: ref.replace(/^refs\/heads\//, '') };
}

function nameWords(text: string): string {
  return text
    .slice(0, 4 * longestDeploymentName)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * Assigns a draft to a listener, or to none.
 * Keeps the selected namespace if the new listener has it too. Selects a listener's only namespace automatically.
 */
export function chooseListener(draft: DeploymentDraft, listener: Listener | undefined): void {
  const namespaces = listener === undefined ? [] : namespacesOf(listener);
  const kept = namespaces.find((namespace) => namespace === draft.kubernetesNamespace);
  draft.listener = listener === undefined ? undefined : { id: listener.id, name: nameOfListener(listener), namespaces };
  draft.kubernetesNamespace = kept ?? (namespaces.length === 1 ? namespaces[0] : undefined);
}

/** Removes a draft's listener, which exists on one service only, and returns a warning if there was one. */
export function forgetListener(draft: DeploymentDraft): readonly Finding[] {
  const { listener } = draft;
  if (listener === undefined) return [];
  chooseListener(draft, undefined);
  const message = l10n.t(
    "The listener {0} belongs to the previous connection, so it's no longer selected.",
    listener.name,
  );
  return [{ severity: 'warning', field: 'listener', message }];
}

const options = ['listener', 'installCommand', 'buildCommand'] as const;

/** An option that few drafts need. A review shows it once it's set, and offers it in one place until then. */
export type DraftOption = (typeof options)[number];

export function unsetOptions(draft: DeploymentDraft): readonly DraftOption[] {
  return options.filter((option) => draft[option] === undefined);
}
