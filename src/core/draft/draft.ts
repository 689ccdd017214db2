import * as l10n from '@vscode/l10n';
import type { Listener } from '../../api/resources/listeners.ts';
import type { DeploymentType } from '../../api/schema/enums.ts';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { nameOfListener, namespacesOf } from '../resources/listeners.ts';
import type { Finding } from './findings.ts';

/** What a deployment is built from. A tag and a commit do not move, a branch does. */
export interface DeploymentRef {
  kind: 'branch' | 'tag' | 'commit';
  name: string;
}

export interface DraftSecret {
  name: string;
  value: string;
}

/** The listener that a deployment will run on, as far as a review needs it. */
export interface DraftListener {
  readonly id: string;
  readonly name: string;
  readonly namespaces: readonly string[];
}

/** A deployment from a repository as the review step edits it, before it is sent. */
export interface DeploymentDraft {
  /** The connection it will be created on; every confirmation names it. */
  connectionName: string;
  name: string;
  source: 'repohost';
  integrationId: string;
  repositoryUrl: string;
  ref: DeploymentRef;
  /** Relative to the repository's root, with forward slashes. */
  configPath: string;
  deploymentType: DeploymentType;
  /** Counts for branches only. */
  buildOnPush: boolean;
  secrets: DraftSecret[];
  resourceSpec?: ResourceSpec | undefined;
  /** Absent where the service runs it itself. */
  listener?: DraftListener | undefined;
  /** One of the listener's namespaces. */
  kubernetesNamespace?: string | undefined;
  installCommand?: string | undefined;
  buildCommand?: string | undefined;
}

/** The longest name that is known to be accepted (a DNS label). */
const longestDeploymentName = 63;

/**
 * Suggests a name for a deployment: lower-case letters, digits and hyphens, starting with a letter, at most 63
 * characters. A config file in a folder of its own adds that folder, because one repository may hold several.
 */
export function suggestDeploymentName(repositoryName: string, configPath: string): string {
  const folder = configPath.split('/').slice(0, -1).at(-1) ?? '';
  const words = [repositoryName, folder].map(nameWords).filter((word, index, all) => all.indexOf(word) === index);
  const joined = words.filter((word) => word !== '').join('-');
  const named = /^[a-z]/.test(joined) ? joined : `app-${joined}`;
  return named.slice(0, longestDeploymentName).replace(/-+$/, '');
}

/** The name, or where that is taken the name with the first number, from 2 on, that makes it free. */
export function freeDeploymentName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) {
    const ending = `-${number}`;
    free = `${name.slice(0, longestDeploymentName - ending.length).replace(/-+$/, '')}${ending}`;
  }
  return free;
}

/** True for names of the kind that every service is known to accept. */
export function isUsualDeploymentName(name: string): boolean {
  return name.length <= longestDeploymentName && /^[a-z][a-z0-9-]*$/.test(name) && !name.endsWith('-');
}

/**
 * Reads what a person or a service writes for a ref: a bare name is a branch, `refs/tags/…` a tag, `refs/heads/…` a
 * branch, and 40 hexadecimal digits a commit.
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
 * Puts a draft on a listener, or on none. A namespace that was chosen before stays where the listener has it too; the
 * only one that a listener has is taken without a question.
 */
export function chooseListener(draft: DeploymentDraft, listener: Listener | undefined): void {
  const namespaces = listener === undefined ? [] : namespacesOf(listener);
  const kept = namespaces.find((namespace) => namespace === draft.kubernetesNamespace);
  draft.listener = listener === undefined ? undefined : { id: listener.id, name: nameOfListener(listener), namespaces };
  draft.kubernetesNamespace = kept ?? (namespaces.length === 1 ? namespaces[0] : undefined);
}

/** Takes a draft off its listener, which belongs to one service only, and says so where there was one. */
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

/** What few drafts need: a review shows it once it is set and offers it in one place until then. */
export type DraftOption = (typeof options)[number];

export function unsetOptions(draft: DeploymentDraft): readonly DraftOption[] {
  return options.filter((option) => draft[option] === undefined);
}
