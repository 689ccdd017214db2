import * as l10n from '@vscode/l10n';
import { secretsIn } from '../../api/redaction/hideValues.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { SOURCES } from '../../api/schema/enums.ts';
import { resourceSpecWire, type ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { shownAddress } from '../git/address.ts';
import { chooseListener, emptyDraft } from './draft.ts';
import {
  draftFields,
  fieldsOf,
  uniqueFields,
  type FieldFacts,
  type PlainField,
  type TextFieldFacts,
} from './fields.ts';
import { plainValues, valueIn } from './fieldValues.ts';
import { parseDeploymentRef } from '../git/deploymentRef.ts';
import { finding, type DraftWithFindings, type Finding } from './findings.ts';
import { withoutHidden } from './hiddenValues.ts';
import { lineLabel } from './sources.ts';

/** The facts about a deployment that its record doesn't have. */
export interface CopyContext {
  readonly connectionName: string;
  /** The active revision. Without one, the latest counts, which the deployment itself shows. */
  readonly revision: Revision | undefined;
  readonly listener: Listener | undefined;
  /** Whether the deployment itself is changed: values that the draft lacks then stay as they are. */
  readonly isChange?: boolean;
}

/**
 * A draft with everything that a deployment has, except for values of secrets and those in its resources that may be
 * secret. A copy is also without its address, which two deployments can't share.
 * Undefined if the interface doesn't know the source.
 */
export function draftLike(
  deployment: Deployment,
  { connectionName, revision, listener, isChange = false }: CopyContext,
): DraftWithFindings | undefined {
  const source = SOURCES.find((known) => known === deployment.source);
  if (source === undefined) return undefined;
  const config = deployment.source_config ?? {};
  const revisionConfig = revision?.source_revision_config ?? deployment.source_revision_config ?? {};
  const record = { ...deployment, source_revision_config: revisionConfig };
  const draft = emptyDraft(source, connectionName);
  const findings: Finding[] = [];
  draft.name = deployment.name;
  draft.resourceSpec = copiedSpec(config.resource_spec ?? undefined, findings, isChange);
  Object.assign(
    draft,
    plainValues(draft, (field) => {
      const value = isChange || !uniqueFields.includes(field) ? valueIn(record, field) : undefined;
      if (!isChange || !isRefused(field, value)) return value;
      const message = l10n.t(
        '"{0}" has a value that can\'t be sent. Unless you enter another one, it stays as it is on the service.',
        lineLabel(draft, field),
      );
      findings.push(finding('info', message, field));
      return undefined;
    }),
  );
  draft.secrets = (deployment.secrets ?? []).map(({ name }) => ({ name, value: undefined }));
  draft.kubernetesNamespace = config.listener_config?.k8s_namespace;
  if ('configPath' in draft) draft.configPath = revisionConfig.graph_config_path ?? '';
  if (draft.source === 'repohost') {
    draft.integrationId = config.integration_id ?? '';
    draft.repositoryUrl = shownAddress(config.repo_url ?? '');
    draft.ref = parseDeploymentRef(revisionConfig.repo_ref ?? '');
    // The usual value is that of a new deployment.
    draft.buildOnPush = config.build_on_push ?? false;
  }
  if (draft.source === 'external_docker') {
    draft.secretReferences = (deployment.secret_references ?? []).map((reference) => ({
      name: reference.name ?? '',
      secretName: reference.secret_name ?? '',
      secretKey: reference.secret_key ?? '',
    }));
  }
  for (const field of fieldsOf(draft)) draft.provenance[field] = { kind: 'copy', name: deployment.name };
  if (listener !== undefined) {
    chooseListener(draft, listener);
  } else if (config.listener_id !== undefined) {
    const message = l10n.t('The listener of {0} is no longer on {1}. Choose another one.', draft.name, connectionName);
    findings.push(finding('warning', message, 'listener'));
  }
  return { draft, findings };
}

/** Whether the service has a value of an optional field that can't be sent. */
function isRefused(field: PlainField, value: unknown): boolean {
  const facts: FieldFacts & Partial<TextFieldFacts> = draftFields[field];
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && facts.isOptional === true && facts.problem?.(text) !== undefined;
}

/** Copies resources without values that may be secret or that can't be sent, each of which a finding tells. */
function copiedSpec(spec: object | undefined, findings: Finding[], isChange: boolean): ResourceSpec | undefined {
  if (spec === undefined) return undefined;
  const field = 'resourceSpec';
  const problems = resourceSpecWire.safeParse(spec).error?.issues ?? [];
  const wrong = new Set(problems.map(({ path }) => String(path[0])));
  if (wrong.size > 0) {
    const names = [...wrong].toSorted().join(', ');
    const message = isChange
      ? l10n.t(
          "The interface doesn't allow the values of {0}. They go back to the default if you change resources.",
          names,
        )
      : l10n.t("The interface doesn't allow the values of {0}, so they aren't copied.", names);
    findings.push(finding('warning', message, field));
  }
  const allowed = Object.fromEntries(Object.entries(spec).filter(([name]) => !wrong.has(name)));
  if (secretsIn(allowed).length > 0) {
    const message = isChange
      ? l10n.t(
          "Resource values that may be secret aren't shown, such as environment values of sidecars. Those that are empty here stay as they are on the service.",
        )
      : l10n.t(
          "Resource values that may be secret aren't copied, such as environment values of sidecars. Enter them again.",
        );
    findings.push(finding(isChange ? 'info' : 'warning', message, field));
  }
  return resourceSpecWire.safeParse(withoutHidden(allowed)).data;
}
