import * as l10n from '@vscode/l10n';
import { SOURCES, type Source } from '../../api/schema/enums.ts';
import type { DeploymentDraft } from './draft.ts';
import { draftFields, type DraftField } from './fields.ts';
import type { DeploymentRef } from '../git/deploymentRef.ts';

/** What a user has to know about a source. */
interface SourceFacts {
  readonly title: () => string;
  /** What it is, and what it needs. */
  readonly explanation: () => string;
  /** Where it is offered. No endpoint tells what a service offers. */
  readonly offered: () => string;
}

const hosted = () => l10n.t('for hosted services');
const selfHosted = () => l10n.t('for self-hosted services');

/** The five sources of a deployment. */
export const sourceFacts = {
  repohost: {
    title: () => l10n.t('Repository'),
    explanation: () => l10n.t('Built from a repository on a code host. Needs an integration with access to it.'),
    offered: hosted,
  },
  external_docker: {
    title: () => l10n.t('External image'),
    explanation: () => l10n.t('An image from your registry. Needs its reference.'),
    offered: selfHosted,
  },
  internal_docker: {
    title: () => l10n.t('Pushed image'),
    explanation: () => l10n.t("An image pushed with the service's command-line tool. Needs its reference."),
    offered: hosted,
  },
  internal_source: {
    title: () => l10n.t('Uploaded source'),
    explanation: () => l10n.t("Source uploaded with the service's command-line tool. Needs the path of the upload."),
    offered: hosted,
  },
  internal_template: {
    title: () => l10n.t('Template'),
    explanation: () => l10n.t("One of the service's templates. Needs only a name."),
    offered: hosted,
  },
} as const satisfies Record<Source, SourceFacts>;

const refLabels = {
  branch: draftFields.ref.label,
  tag: () => l10n.t('Tag'),
  commit: () => l10n.t('Commit'),
} satisfies Record<DeploymentRef['kind'], () => string>;

/** The label of a field of a draft. */
export function lineLabel(draft: DeploymentDraft, field: DraftField): string {
  return draftFieldLabel(field, draft.source === 'repohost' ? draft.ref : undefined);
}

/** The label of a field. A ref is called by its kind. */
export function draftFieldLabel(field: DraftField, ref?: DeploymentRef): string {
  return field === 'ref' && ref !== undefined ? refLabels[ref.kind]() : draftFields[field].label();
}

/** The source of a deployment of a file; the usual one if the file names none, or an unknown one. */
export function sourceOf({ source }: { readonly source?: unknown }): Source {
  return SOURCES.find((known) => known === source) ?? draftFields.source.usual;
}
