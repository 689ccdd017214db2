import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import { withFileValues, type FileValue } from '../../../core/draft/deploymentFileText.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { sameSpecValue } from '../../../core/yaml/value.ts';
import { textAfterEdit } from '../../window/specFiles.ts';
import type { PageButton, PageDeployment, PageField, PageGroup } from './protocol.ts';

/** The fields that deployments of one file mostly have in common. */
const sharedKeys: readonly string[] = ['connection', draftFields.ref.key];

/** Stands for the value of a shared field that isn't the same for all. */
export const differentValues = ' ';

/** What the deployments of a file share. */
interface Sharing {
  readonly files: readonly FileDeployment[];
  /** The positions of those that are changed together. */
  readonly sharing: readonly number[];
  /** The button that asks for the value of all with a list of VS Code. */
  readonly pick: (key: string) => PageButton;
}

/** Puts what several deployments have in common into a group of its own, and among the options of each. */
export function shareFields(
  deployments: readonly PageDeployment[],
  { files, sharing, pick }: Sharing,
): { readonly deployments: PageDeployment[]; readonly shared?: PageGroup } {
  const fieldsOf = (key: string): readonly PageField[] =>
    sharing
      .flatMap((index) => deployments[index]?.groups.flatMap(({ fields }) => fields) ?? [])
      .filter((field) => field.key === key);
  const isSame = (key: string): boolean => new Set(fieldsOf(key).map(({ value, usual }) => value || usual)).size === 1;
  // Branches of different repositories have nothing in common.
  const isShared = (key: string): boolean => key !== draftFields.ref.key || isSame(draftFields.repositoryUrl.key);
  const common = sharedKeys.filter((key) => isShared(key) && fieldsOf(key).length === sharing.length);
  if (sharing.length < 2 || common.length === 0) return { deployments: [...deployments] };
  const folded = new Set(common.filter(isSame));
  return {
    deployments: deployments.map((each, index) => (sharing.includes(index) ? foldFields(each, folded) : each)),
    shared: {
      id: 'shared',
      title: vscode.l10n.t('For All {0} Deployments', sharing.length),
      summary: '',
      isOpen: true,
      fields: [
        ...common.flatMap((key) => {
          const [first] = fieldsOf(key);
          if (first === undefined) return [];
          const field = { ...first, ...(first.pick && { pick: pick(key) }) };
          return folded.has(key) ? field : differentField(field);
        }),
        resourcesField(deployments, files, sharing),
      ],
    },
  };
}

/** The resources of all: those of one of them, which the others can get. */
function resourcesField(
  deployments: readonly PageDeployment[],
  files: readonly FileDeployment[],
  sharing: readonly number[],
): PageField {
  const { key, label } = draftFields.resourceSpec;
  const summaryOf = (index: number): string => deployments[index]?.resources?.summary ?? '';
  const isSame = new Set(sharing.map((index) => JSON.stringify(files[index]?.content?.[key]))).size === 1;
  const offered = isSame ? sharing.slice(0, 1) : sharing;
  const options = offered.map((index) => {
    const summary = summaryOf(index);
    return {
      value: String(index),
      label: isSame ? summary : vscode.l10n.t('as {0}: {1}', deployments[index]?.title ?? '', summary),
    };
  });
  const value = options[0]?.value ?? '';
  const field = { key, label: label(), help: '', value, usual: '', from: '', options, isLocked: isSame };
  return isSame ? field : differentField(field);
}

function differentField(field: PageField): PageField {
  const words = vscode.l10n.t('different for each');
  return field.options.length === 0
    ? { ...field, value: '', usual: words, from: '' }
    : { ...field, value: differentValues, options: [{ value: differentValues, label: words }, ...field.options] };
}

/** Puts fields of the first group among the options. */
function foldFields(deployment: PageDeployment, keys: ReadonlySet<string>): PageDeployment {
  const [main, options] = deployment.groups;
  if (main === undefined || options === undefined) return deployment;
  const isFolded = ({ key }: PageField): boolean => keys.has(key);
  return {
    ...deployment,
    groups: [
      { ...main, fields: main.fields.filter((field) => !isFolded(field)) },
      { ...options, fields: [...options.fields, ...main.fields.filter(isFolded)] },
    ],
  };
}

/** What was entered for all deployments of a file. */
interface SharedInput extends Pick<Sharing, 'sharing'> {
  readonly key: string;
  readonly value: string;
  /** What else changes in a deployment. */
  readonly moved: (index: number) => readonly FileValue[];
}

/**
 * The text of a file with another value in all deployments that share it.
 * @throws {UserError} the text can't be changed there
 */
export function withSharedValue(
  text: string,
  files: readonly FileDeployment[],
  { sharing, key, value, moved }: SharedInput,
): string {
  const wanted = key === draftFields.resourceSpec.key ? files[Number(value)]?.content?.[key] : value;
  let after = text;
  // From the end: what comes before a deployment stays where it is.
  for (const index of sharing.toReversed()) {
    const file = files[index];
    // One that has it already keeps its comments.
    if (file === undefined || sameSpecValue(file.content?.[key], wanted)) continue;
    const { start, text: before } = file;
    const changed = textAfterEdit(withFileValues(before, [{ path: [key], value: wanted }, ...moved(index)]));
    after = after.slice(0, start) + changed + after.slice(start + before.length);
  }
  return after;
}
