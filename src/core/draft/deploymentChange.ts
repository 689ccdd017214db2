import * as l10n from '@vscode/l10n';
import { hideValues } from '../../api/redaction/hideValues.ts';
import { MASK, safeText } from '../../api/redaction/redact.ts';
import type { DeploymentPatch } from '../../api/resources/deploymentChanges.ts';
import type { Deployment, DeploymentCreate } from '../../api/resources/deployments.ts';
import { SOURCES } from '../../api/schema/enums.ts';
import { isRecord } from '../../api/schema/json.ts';
import { deploymentRefText, parseDeploymentRef } from '../git/deploymentRef.ts';
import { sameRepository } from '../git/remote.ts';
import { isSpecKey } from '../spec/fields.ts';
import { fieldLabel } from '../spec/help.ts';
import { defaultWords } from '../spec/specWords.ts';
import { uploadTitle } from '../status/rowWords.ts';
import { shortened } from '../text/text.ts';
import { createRequest, setAt } from './createRequest.ts';
import type { DeploymentDraft, DraftSecret } from './draft.ts';
import { finding, type Finding } from './findings.ts';
import { countHidden, withHidden } from './hiddenValues.ts';
import { secretsChangeFindings } from './secretsChange.ts';
import { draftFieldLabel } from './sources.ts';
import { allFields, draftFields, fieldsOf, tableFields, type DraftField } from './fields.ts';
import { valueIn } from './fieldValues.ts';

/**
 * What a deployment should have, in the interface's own names. Missing fields stay as they are; null asks to remove one.
 * `secrets` is the whole environment: a secret that isn't in it will be gone.
 */
export type DeploymentWish = Partial<Omit<DeploymentCreate, 'secrets'>> & {
  readonly secrets?: readonly DraftSecret[] | undefined;
};

/** One thing that a deployment has, and what it will have instead, in words. Never a value that may be secret. */
interface Difference {
  readonly field: DraftField;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  /** Whether it may be none: the service gives no values of secrets, and may not even list their names. */
  readonly isUnsure?: true;
}

/** The difference between a deployment and a wish. */
export interface DeploymentChange {
  /**
   * The body that makes the record as wished. Undefined if nothing would change, if a finding is an error, or while a
   * secret lacks its value.
   */
  readonly patch: DeploymentPatch | undefined;
  /** Whether the service makes a new revision for it; the rest changes without one. */
  readonly makesRevision: boolean;
  readonly differences: readonly Difference[];
  /** What can't be changed, and what will be gone. */
  readonly findings: readonly Finding[];
}

/** What a deployment has otherwise than its file. */
interface FileComparison {
  readonly change: DeploymentChange;
  /** What surely differs from what the file says. */
  readonly differing: readonly Pick<Difference, 'field' | 'label'>[];
  /** What the file doesn't say. An update leaves it as it is. */
  readonly onlyOnService: readonly Pick<Difference, 'field' | 'label'>[];
}

/** What a deployment may have without anyone's wish. Services make addresses themselves, and each upload its paths. */
const notWished = new Set<DraftField>(['integrationId', 'buildOnPush', 'tarballPath', 'customUrl']);

/** What the interface says can't be changed. */
const fixed: readonly DraftField[] = ['name', 'source'];

/** What an update replaces value by value. */
const single = allFields.filter((field) => !tableFields.includes(field) && !fixed.includes(field));

/** What a wish goes by besides the draft. A field that the draft lacks and that isn't listed here stays as it is. */
interface WishRules {
  /** The fields that stay as they are on the service. */
  readonly kept?: readonly DraftField[];
  /** The fields and the secrets that the draft is without, because the user removed them. */
  readonly removed?: readonly DraftField[];
  readonly removedSecrets?: readonly string[];
}

/**
 * What a draft wishes for a deployment that exists. Secrets without a single value here stay as they are on the service,
 * unless others are wanted. So do values of resources that are empty here, because they may be secret.
 */
export function wishOf(
  draft: DeploymentDraft,
  deployment: Deployment,
  { kept = [], removed = [], removedSecrets = [] }: WishRules = {},
): DeploymentWish {
  const { secrets } = draft;
  const { secrets: present } = deployment;
  const names = new Set(present?.map(({ name }) => name));
  const isKept =
    secrets.every(({ name, value }) => value === undefined && (present === undefined || names.has(name))) &&
    !removedSecrets.some((name) => present === undefined || names.has(name));
  const wish = createRequest(draft);
  for (const field of fieldsOf(draft)) {
    const own = valueIn(deployment, field);
    const isRemoved = removed.includes(field) && isSet(own) && !isSet(valueIn(wish, field));
    if (isRemoved) setAt(wish, draftFields[field].path, null);
    else if (kept.includes(field)) setAt(wish, draftFields[field].path, own);
    else if (field === 'resourceSpec') setAt(wish, draftFields[field].path, withHidden(valueIn(wish, field), own));
  }
  return { ...wish, secrets: isKept ? undefined : secrets };
}

/** A difference in words. */
export function differenceWords({ label, from, to }: Difference): string {
  return l10n.t('{0}: {1} → {2}', label, from, to);
}

/** Compares a deployment's record with the draft of its file. What has only defaults counts as not set. */
export function compareWithFile(deployment: Deployment, draft: DeploymentDraft): FileComparison {
  const names = draft.secrets.map(({ name }) => name);
  const hasSecrets = names.length > 0;
  // Secrets that a file names are the whole environment.
  const listed = deployment.secrets?.map(({ name }) => name) ?? [];
  const removedSecrets = hasSecrets ? listed.filter((name) => !names.includes(name)) : [];
  const change = compareWithWish(deployment, wishOf(draft, deployment, { removedSecrets }));
  const request = createRequest(draft);
  const isUnsaid = (field: DraftField): boolean => {
    if (notWished.has(field) || (field === 'configPath' && draft.source === 'internal_source')) return false;
    return field === 'secrets' ? !hasSecrets : valueIn(request, field) === undefined;
  };
  return {
    change,
    // Another integration may have the repository too.
    differing: change.differences.filter(({ field, isUnsure }) => field !== 'integrationId' && !isUnsure),
    onlyOnService: fieldsOf({ source: SOURCES.find((known) => known === deployment.source) ?? draft.source })
      .filter((field) => isUnsaid(field) && hasContent(valueIn(deployment, field)))
      .map((field) => ({ field, label: labelOf(field, deployment) })),
  };
}

/** Compares a deployment's record with a wish. */
export function compareWithWish(deployment: Deployment, wish: DeploymentWish): DeploymentChange {
  const between: Compared = {
    from: deployment,
    to: wish,
    shownFrom: hideValues(deployment, () => MASK),
    shownTo: hideValues({ ...wish, secrets: undefined }, () => MASK),
  };
  const changed = single.filter((field) => isChanged(between, field));
  const hasReferences = isChanged(between, 'secretReferences');
  const spec = specDifferences(between);
  // An empty list leaves the environment as it is.
  const secrets = wish.secrets?.length === 0 ? undefined : wish.secrets;
  const differences = [
    ...changed.map((field) => differenceOf(between, field)),
    ...(hasReferences ? [referencesDifference(between)] : []),
    ...spec,
    ...(secrets === undefined ? [] : [secretsDifference(deployment, secrets)]),
  ];
  // Null means "unchanged" to the service.
  const stuck = [...single, 'resourceSpec' as const].filter(
    (field) => valueIn(wish, field) === null && valueIn(deployment, field) !== undefined,
  );
  const findings = [
    ...fixed.filter((field) => isChanged(between, field)).map((field) => fixedFinding(between, field)),
    ...stuck.map((field) => stuckFinding(between, field)),
    ...fallenFindings(between),
    ...secretsChangeFindings(deployment, wish.secrets),
  ];
  // The check of the draft has the finding about missing values.
  const isRefused =
    findings.some(({ severity }) => severity === 'error') || wish.secrets?.some(({ value }) => value === undefined);
  const members = new Set([...changed, ...spec.map(({ field }) => field)].map(memberOf));
  const hasConfig = changed.some((field) => draftFields[field].path.startsWith('source_revision_config.'));
  const patch: DeploymentPatch = {
    ...sourceParts(wish, members),
    ...(hasConfig ? revisionParts(deployment, wish) : {}),
    ...(secrets === undefined ? {} : { secrets: secrets.map(({ name, value = '' }) => ({ name, value })) }),
    ...(hasReferences ? { secret_references: wish.secret_references } : {}),
  };
  return {
    patch: isRefused || differences.length === 0 ? undefined : patch,
    makesRevision: hasConfig || secrets !== undefined || spec.length > 0,
    differences,
    findings,
  };
}

interface Compared {
  readonly from: Deployment;
  readonly to: DeploymentWish;
  /** Both without values that may be secret. */
  readonly shownFrom: unknown;
  readonly shownTo: unknown;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Whether anything is set in a value. What is nested deeper than in any real resource is. */
function hasContent(value: unknown, level = 0): boolean {
  if (!isNested(value)) return isSet(value);
  return level > 64 || Object.values(value).some((member) => hasContent(member, level + 1));
}

function memberAt(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** The member of `source_config` or `source_revision_config` that holds a field. */
function memberOf(field: DraftField): string | undefined {
  return draftFields[field].path.split('.')[1];
}

function isChanged({ from, to }: Compared, field: DraftField): boolean {
  const [before, after] = [valueIn(from, field), valueIn(to, field)];
  if (after === undefined || after === null) return false;
  // A service may leave out what has none.
  if (field === 'secretReferences') return !isSame(before ?? [], after);
  if (typeof before === 'string' && typeof after === 'string') {
    if (field === 'repositoryUrl') return before !== after && !sameRepository(before, after);
    if (field === 'ref') return refOf(before) !== refOf(after);
  }
  return !isSame(before, after);
}

/** Null equals absent, as everywhere in the interface. Deeper levels than any real resource has are never the same. */
function isSame(before: unknown, after: unknown, level = 0): boolean {
  if (Object.is(before ?? undefined, after ?? undefined)) return true;
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after) || level > 64)
    return false;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].every((name) => isSame(Reflect.get(before, name), Reflect.get(after, name), level + 1));
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refOf(text: string): string {
  return deploymentRefText(parseDeploymentRef(text));
}

function sourceParts({ source_config: config }: DeploymentWish, members: ReadonlySet<unknown>): DeploymentPatch {
  const changed = withMembers(config ?? {}, (name) => members.has(name));
  return Object.keys(changed).length === 0 ? {} : { source_config: changed };
}

/** A revision's config is sent whole, as the public command-line tools do. */
function revisionParts({ source }: Deployment, { source_revision_config: config }: DeploymentWish): DeploymentPatch {
  const revisionSource = (['repohost', 'internal_docker', 'internal_source'] as const).find((one) => one === source);
  return {
    ...(revisionSource === undefined ? {} : { revision_source: revisionSource }),
    source_revision_config: withMembers(config ?? {}, (_name, value) => value !== null && value !== undefined),
  };
}

/** A copy of an object with only some of its members. */
function withMembers<T extends object>(value: T, isKept: (name: string, member: unknown) => boolean): T {
  const copy = { ...value };
  for (const [name, member] of Object.entries(copy)) if (!isKept(name, member)) Reflect.deleteProperty(copy, name);
  return copy;
}

/** The values of a resource spec that change. */
function specDifferences({ from, to, shownFrom, shownTo }: Compared): readonly Difference[] {
  const field = 'resourceSpec';
  const [before, after, shownBefore, shownAfter] = [from, to, shownFrom, shownTo].map((one) => valueIn(one, field));
  if (!isRecord(after)) return [];
  const keys = new Set([...(isRecord(before) ? Object.keys(before) : []), ...Object.keys(after)]);
  return [...keys]
    .filter((key) => !isSame(memberAt(before, key), after[key]))
    .map((key) => {
      const values = fromTo(memberAt(shownBefore, key), memberAt(shownAfter, key), defaultWords());
      return { field, label: specLabel(key), ...values };
    });
}

function specLabel(key: string): string {
  return isSpecKey(key) ? fieldLabel(key) : key;
}

function differenceOf({ from, shownFrom, shownTo }: Compared, field: DraftField): Difference {
  const [before, after] = [shownFrom, shownTo].map((shown) => {
    const value = valueIn(shown, field);
    return field === 'tarballPath' && typeof value === 'string' ? uploadTitle(value) : value;
  });
  return { field, label: labelOf(field, from), ...fromTo(before, after) };
}

function referencesDifference({ from, to }: Compared): Difference {
  const [before, after] = [from, to].map(({ secret_references: references }) =>
    references?.map(({ name, secret_name, secret_key }) => `${name} (${secret_name}/${secret_key})`).join(', '),
  );
  return { field: 'secretReferences', label: labelOf('secretReferences', from), ...fromTo(before, after) };
}

function secretsDifference(deployment: Deployment, secrets: readonly DraftSecret[]): Difference {
  const place = { field: 'secrets', label: labelOf('secrets', deployment) } as const;
  const names = secrets.map(({ name }) => name);
  const before = deployment.secrets?.map(({ name }) => name);
  const to = wordsOf(names.join(', '));
  if (before === undefined) return { ...place, from: l10n.t('not listed'), to, isUnsure: true };
  const from = wordsOf(before.join(', '));
  if (!isSame(before.toSorted(), names.toSorted())) return { ...place, from, to };
  return { ...place, from, to: l10n.t('{0}, with the values from here', to), isUnsure: true };
}

/** The label of a field, with the deployment's own kind of ref. */
function labelOf(field: DraftField, { source_revision_config: config }: Deployment): string {
  return draftFieldLabel(field, parseDeploymentRef(config?.repo_ref ?? ''));
}

/** Two values in words. What differs only in a hidden place says so. */
function fromTo(before: unknown, after: unknown, nothing?: string): Pick<Difference, 'from' | 'to'> {
  const [from, to] = [wordsOf(before, nothing), wordsOf(after, nothing)];
  return { from, to: from === to ? l10n.t('{0} (changed)', to) : to };
}

function wordsOf(value: unknown, nothing = l10n.t('not set')): string {
  if (!isSet(value)) return nothing;
  if (typeof value === 'boolean') return value ? l10n.t('on') : l10n.t('off');
  return shortened(safeText(typeof value === 'string' ? value : JSON.stringify(value)), 100);
}

function fixedFinding({ from, shownFrom }: Compared, field: DraftField): Finding {
  const value = wordsOf(valueIn(shownFrom, field));
  return finding('error', l10n.t("{0} can't be changed. It stays {1}.", labelOf(field, from), value), field);
}

function stuckFinding({ from, shownFrom }: Compared, field: DraftField): Finding {
  const value = wordsOf(valueIn(shownFrom, field));
  const message = l10n.t('{0} can be changed, but not removed. It stays {1}.', labelOf(field, from), value);
  return finding('warning', message, field);
}

/** A new resource spec replaces the whole old one. */
function fallenFindings({ from, to }: Compared): readonly Finding[] {
  const field = 'resourceSpec';
  const [before, after] = [valueIn(from, field), valueIn(to, field)];
  if (!isRecord(before) || !isRecord(after)) return [];
  const fallen = Object.keys(before).filter((key) => isSame(after[key], undefined) && !isSame(before[key], undefined));
  const labels = fallen.map(specLabel).join(', ');
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !fallen.includes(key)));
  const isHiddenGone = countHidden(rest) > countHidden(after);
  const gone = l10n.t('Resource values that may be secret will be gone, such as environment values of sidecars.');
  return [
    ...(fallen.length === 0
      ? []
      : [finding('warning', l10n.t('These resources go back to the service default: {0}.', labels), field)]),
    ...(isHiddenGone ? [finding('warning', gone, field)] : []),
  ];
}
