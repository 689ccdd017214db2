import * as vscode from 'vscode';
import { flavors, type FlavorName } from '../../../api/flavor.ts';
import type { BegunDeployment } from '../../../core/draft/begunDraft.ts';
import { differenceWords } from '../../../core/draft/deploymentChange.ts';
import type { FileDeployment, FileFinding } from '../../../core/draft/deploymentFile.ts';
import { fileFixes } from '../../../core/draft/deploymentFileFixes.ts';
import { resourcesText } from '../../../core/draft/deploymentFileText.ts';
import {
  draftFields,
  fieldsOf,
  mainFields,
  pickedFields,
  tableFields,
  type DraftField,
  type FieldFacts,
  type PickedField,
} from '../../../core/draft/fields.ts';
import { keyInFile, type Finding } from '../../../core/draft/findings.ts';
import { worstFirst } from '../../../core/draft/preflight/preflight.ts';
import { choiceWords, draftLines, referenceCount, type DraftLine } from '../../../core/draft/draftLines.ts';
import { draftFieldLabel, sourceOf } from '../../../core/draft/sources.ts';
import type { Fix } from '../../../core/spec/fixes.ts';
import { describeSpec } from '../../../core/spec/specWords.ts';
import { isSpecMap } from '../../../core/yaml/value.ts';
import { sentSpec } from '../../../core/spec/specText.ts';
import { workingCopyOf, type HelpedFinding } from '../plan.ts';
import { findingsOf, type CheckedDeployment } from './checkDeployment.ts';
import type { ButtonMaker } from './pageButtons.ts';
import { whatWords } from './pageWords.ts';
import type {
  PageButton,
  PageDeployment,
  PageField,
  PageFinding,
  PageGroup,
  PageResources,
  PageTable,
} from './protocol.ts';

/** What a deployment's part of the page is made from. */
export interface PagePart {
  /** Whether the file has no other deployment. */
  readonly isOnly: boolean;
  readonly deployment: FileDeployment;
  /** Whether its name is being looked up, which tells whether it was created. */
  readonly isNameKept: boolean;
  /** How it was begun, in a draft. */
  readonly begun: BegunDeployment | undefined;
  /** Undefined before the first check. */
  readonly checked: CheckedDeployment | undefined;
  /** What the service said when it refused the deployment. */
  readonly refusals: readonly HelpedFinding[];
  /** The names of the connections that are set up, and the one that counts without a name. */
  readonly connections: readonly string[];
  readonly usualConnection: string;
  /** Of its connection. */
  readonly flavor: FlavorName;
  readonly button: ButtonMaker;
  /** Asks for a field with a list of VS Code. */
  readonly pick: (field: PickedField) => Promise<unknown>;
  /** The buttons that help with a finding about the draft. */
  readonly remediesOf: (finding: Finding) => readonly PageButton[];
  /** Shows a place of the text. */
  readonly showText: (offset: number) => Promise<unknown>;
  /** Changes the text as a correction of it says. */
  readonly correct: (fix: Fix) => Promise<unknown>;
}

/** The groups of a deployment's fields: those that matter, and the rest. */
export function groupsOf(part: PagePart): readonly PageGroup[] {
  const { deployment, begun, checked } = part;
  if (deployment.content === undefined) return [];
  const { content } = deployment;
  const all = fieldsOf({ source: sourceOf(content) });
  // The path of an upload that is still to come isn't known.
  const fields = all.filter((field) => field !== 'tarballPath' || begun?.folder === undefined);
  const lines = new Map(linesOf(checked).map((line) => [line.field, line]));
  const fieldOf = (field: DraftField): PageField => fieldFor(field, lines.get(field), part);
  const isMain = (field: DraftField): boolean => mainFields.includes(field) && field !== 'name';
  const isRest = (field: DraftField): boolean => !mainFields.includes(field) && !tableFields.includes(field);
  const [name, ...others] = [fieldOf('name'), ...fields.filter(isMain).map(fieldOf)];
  const rest = fields.filter(isRest).map(fieldOf);
  const set = rest.filter(({ value }) => value !== '').map((field) => `${field.label}: ${shownValue(field)}`);
  return [
    {
      id: 'main',
      title: vscode.l10n.t('What Is Deployed'),
      summary: [name, ...others].flatMap((field) => shownValue(field) || field.usual || []).join(' · '),
      isOpen: true,
      fields: [name, connectionField(part), ...others],
    },
    {
      id: 'options',
      title: vscode.l10n.t('Options'),
      summary: set.length === 0 ? vscode.l10n.t('defaults') : set.join(' · '),
      isOpen: false,
      fields: rest,
    },
  ];
}

/** The words for a value that the file has; empty if it has none. */
function shownValue({ value, options }: PageField): string {
  return value && (options.find((option) => option.value === value)?.label ?? value);
}

function linesOf(checked: CheckedDeployment | undefined): readonly DraftLine[] {
  const { plan } = checked ?? {};
  return plan === undefined ? [] : draftLines(plan.draft, workingCopyOf(plan)?.configPaths);
}

function fieldFor(field: DraftField, line: DraftLine | undefined, part: PagePart): PageField {
  const { deployment, isNameKept, begun, checked, button, pick } = part;
  const { key } = draftFields[field];
  const draft = checked?.plan?.draft;
  const picked = pickedFields.find((each) => each === field);
  const isOff = field === 'buildOnPush' && !isBranch(part);
  const value = isOff ? '' : textIn(deployment, key);
  return {
    key,
    label: draftFieldLabel(field, draft?.source === 'repohost' ? draft.ref : undefined),
    help: isOff ? vscode.l10n.t('Only a branch can be built on push.') : helpOf(field, part),
    value,
    usual: value === '' ? (line?.value ?? '') : '',
    // Everything in a file is of its author. In a draft, much is suggested.
    from: value === '' || begun !== undefined ? (line?.from ?? '') : '',
    options: optionsOf(field, value, part),
    isLocked:
      isOff ||
      (field === 'name' && (isNameKept || begun?.changes !== undefined)) ||
      (field === 'source' && isSourceKept(part)),
    ...(picked !== undefined && draft !== undefined && (field !== 'configPath' || hasConfigs(part))
      ? { pick: button(`pick/${key}`, vscode.l10n.t('Choose…'), () => pick(picked)) }
      : {}),
  };
}

/** Whether a draft is for one source on one connection, because it changes a deployment or uploads a folder. */
function isBound({ begun }: PagePart): boolean {
  return begun?.changes !== undefined || begun?.folder !== undefined;
}

/** Whether the source stays: that of a deployment can't change, but one that the file has wrong can be corrected. */
function isSourceKept(part: PagePart): boolean {
  const { plan, update } = part.checked ?? {};
  return isBound(part) || (update !== undefined && update.target.source === plan?.draft.source);
}

/** Whether config files are listed. */
function hasConfigs({ checked }: PagePart): boolean {
  return checked?.plan?.draft.source === 'repohost' || checked?.folder !== undefined;
}

function helpOf(field: DraftField, part: PagePart): string {
  const { deployment, begun, isNameKept } = part;
  // Nothing is to be chosen.
  if (field === 'source' && isSourceKept(part)) return '';
  if (field === 'name' && isNameKept) {
    return vscode.l10n.t('Locked while the service is asked whether the deployment was created.');
  }
  if (field === 'configPath' && deployment.content?.['source'] === 'internal_source') {
    return vscode.l10n.t('The path in the upload, which is sent as it is.');
  }
  const { help, fileHelp = help }: FieldFacts = draftFields[field];
  return begun === undefined ? fileHelp() : help();
}

function connectionField(part: PagePart): PageField {
  const { deployment, begun, connections, usualConnection } = part;
  const value = textIn(deployment, 'connection');
  const names = connections.includes(value) || value === '' ? connections : [value, ...connections];
  return {
    key: 'connection',
    label: vscode.l10n.t('Connection'),
    help: begun === undefined ? vscode.l10n.t('Without a connection, the file is for that of whoever opens it.') : '',
    value,
    usual: '',
    from: '',
    isLocked: isBound(part),
    options: [
      { value: '', label: vscode.l10n.t("This window's: {0}", usualConnection || vscode.l10n.t('none')) },
      ...names.map((name) => ({ value: name, label: name })),
    ],
  };
}

/** What the file says in a field, as text. */
function textIn({ content }: FileDeployment, key: string): string {
  const value = content?.[key];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** The choices of a field. The usual one needs no value, and one that isn't known stays. */
function optionsOf(field: DraftField, value: string, part: PagePart): PageField['options'] {
  const { choices, usual }: FieldFacts = draftFields[field];
  if (choices === undefined) return [];
  const known = field === 'deploymentType' ? flavors[part.flavor].deploymentTypes : choices;
  // Only a branch is built on push.
  const unsaid = field === 'buildOnPush' ? isBranch(part) : usual;
  const options = known.map((choice) => ({
    value: choice === unsaid && value !== String(choice) ? '' : String(choice),
    label: choiceWords(field, choice),
  }));
  return value === '' || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}

/** Whether a branch is deployed, or it isn't known yet what is. A push builds only branches. */
function isBranch({ checked }: PagePart): boolean {
  const { plan } = checked ?? {};
  return plan?.draft.source !== 'repohost' || plan.draft.ref.kind === 'branch';
}

/** The keys of the findings that say what exactly is deployed: a commit, or a folder. */
const madeOfKeys: ReadonlySet<string> = new Set([draftFields.ref.key, draftFields.tarballPath.key]);

/**
 * The findings of a deployment, each with what helps: errors, the commit, unless there is a problem with it, then the
 * others. What needs no help is among the facts.
 */
export function findingsFor(
  part: PagePart,
  shown: Pick<PageDeployment, 'groups' | 'tables'>,
): { readonly findings: PageFinding[]; readonly facts: string[] } {
  const { deployment, checked, button, remediesOf, showText, correct } = part;
  const fixesOf = fileFixes(deployment);
  const places = placesOn(shown);
  // The name of one that exists is beyond advice.
  const isBeyondAdvice = ({ severity, path: [key] }: FileFinding): boolean =>
    checked?.update !== undefined && severity === 'warning' && key === draftFields.name.key;
  const said = deployment.findings.filter((found) => !isBeyondAdvice(found));
  const ofText = said.map((found, index) => ({
    severity: found.severity,
    message: found.message,
    // A resource is a field of its own.
    key: found.path.slice(0, found.path[0] === draftFields.resourceSpec.key ? 2 : 1).join('/'),
    buttons: [
      ...fixesOf(found).map((fix) => button(`fix/${found.path.join('/')}/${fix.title}`, fix.title, () => correct(fix))),
      ...(places.has(String(found.path[0]))
        ? []
        : [button(`text/${index}`, vscode.l10n.t('Show in Text'), () => showText(found.start))]),
    ],
  }));
  const ofDraft = findingsOf(part, deployment).map((found) => ({
    severity: found.severity,
    message: found.message,
    key: keyInFile(found),
    buttons: [
      ...(found.remedies ?? []).map(({ title, run }) => button(`remedy/${found.message}/${title}`, title, run, true)),
      ...remediesOf(found),
    ],
  }));
  const all: readonly PageFinding[] = worstFirst([...ofText, ...ofDraft]);
  const isFact = ({ severity, buttons }: PageFinding): boolean => severity === 'info' && buttons.length === 0;
  const isCommit = ({ severity, key }: PageFinding): boolean => severity === 'info' && madeOfKeys.has(key);
  const told = all.filter((found) => !isFact(found));
  const isError = ({ severity }: PageFinding): boolean => severity === 'error';
  const isOther = (found: PageFinding): boolean => !isError(found) && !isCommit(found);
  return {
    findings: [...told.filter(isError), ...told.filter(isCommit), ...told.filter(isOther)],
    facts: [...whatFacts(part), ...updateFacts(checked), ...all.filter(isFact).map(({ message }) => message)],
  };
}

/** The keys of a file that have a place on its page: a field, a table or the resources, which are with the tables. */
function placesOn({ groups, tables }: Pick<PageDeployment, 'groups' | 'tables'>): ReadonlySet<string> {
  const keys = [...groups.flatMap(({ fields }) => fields.map(({ key }) => key)), ...tables.map(({ id }) => id)];
  return new Set(tables.length === 0 ? keys : [...keys, draftFields.resourceSpec.key]);
}

/** What is deployed where, unless headings and fields on top say so. */
function whatFacts({ isOnly, checked }: PagePart): readonly string[] {
  const { plan } = checked ?? {};
  return isOnly && plan !== undefined && plan.draft.name !== '' ? [whatWords(plan)] : [];
}

/** What a change of a deployment changes. */
function updateFacts(checked: CheckedDeployment | undefined): readonly string[] {
  const { update } = checked ?? {};
  if (update === undefined) return [];
  const { differences, findings } = update.change;
  if (differences.length === 0) {
    return findings.length === 0
      ? [vscode.l10n.t('Everything that is set here is the same on the service, so there is nothing to change.')]
      : [vscode.l10n.t('Nothing else that is set here differs, so there is nothing to change.')];
  }
  const { name } = update.target;
  const words = update.change.makesRevision
    ? vscode.l10n.t('Makes a new revision of {0}, which exists already:', name)
    : vscode.l10n.t('Changes {0}, which exists already, without a new revision:', name);
  return [words, ...differences.map(differenceWords)];
}

/** The tables of a deployment besides the secrets. */
export function tablesOf({ checked, button, pick }: PagePart): readonly PageTable[] {
  const draft = checked?.plan?.draft;
  if (draft?.source !== 'external_docker') return [];
  const rows = draft.secretReferences.map(({ name, secretName, secretKey }) => ({
    name,
    from: `${secretName}/${secretKey}`,
    state: '',
    isMissing: false,
    buttons: [],
  }));
  const references = {
    id: draftFields.secretReferences.key,
    title: draftFields.secretReferences.label(),
    summary: referenceCount(rows.length),
    rows,
    buttons: [button('references', vscode.l10n.t('Edit References…'), () => pick('secretReferences'))],
  };
  return [references];
}

/** The resources of a deployment: what they reserve and where a draft has that from, in words, and the text to edit. */
export function shownResources({
  deployment,
  begun,
  checked,
  flavor,
}: PagePart): Omit<PageResources, 'starts' | 'open'> {
  const { content, text } = deployment;
  const resources = content?.[draftFields.resourceSpec.key];
  const spec = isSpecMap(resources) ? sentSpec(resources) : checked?.plan?.draft.resourceSpec;
  const line = begun && resources !== undefined && linesOf(checked).find(({ field }) => field === 'resourceSpec');
  // What can't be read isn't the service's default.
  const isWrong = isSpecMap(resources) && spec === undefined;
  const said = isWrong ? vscode.l10n.t('to be corrected') : describeSpec(spec ?? {});
  const words = [said, ...(line ? [line.from] : [])].join(' · ');
  return typeof resources === 'string'
    ? { summary: `${resources}: ${words}`, text: '', flavor }
    : { summary: words, text: resourcesText(text), flavor };
}
