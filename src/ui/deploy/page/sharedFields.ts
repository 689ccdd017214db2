import * as vscode from 'vscode';
import type { FileDeployment } from '../../../core/draft/deploymentFile.ts';
import type { FileValue } from '../../../core/draft/deploymentFileText.ts';
import { draftFields } from '../../../core/draft/fields.ts';
import { sameSpecValue } from '../../../core/yaml/value.ts';
import type { PageButton, PageDeployment, PageField, PageResources, PageState } from './protocol.ts';

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
  /** The buttons that change the resources of all, of which one deployment and its position are given. */
  readonly resourceButtons: (deployment: FileDeployment, index: number) => Pick<PageResources, 'starts' | 'open'>;
}

/** Puts what several deployments have in common into a group of its own, and among the options of each. */
export function shareFields(
  deployments: readonly PageDeployment[],
  { files, sharing, pick, resourceButtons }: Sharing,
): Pick<PageState, 'deployments' | 'shared' | 'sharedResources'> {
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
  const same = sameResources(deployments, { files, sharing, resourceButtons });
  return {
    deployments: deployments.map((each, index) => (sharing.includes(index) ? foldFields(each, folded) : each)),
    shared: {
      id: 'shared',
      title: vscode.l10n.t('Shared by {0} Deployments', sharing.length),
      summary: '',
      isOpen: true,
      fields: [
        ...common.flatMap((key) => {
          const [first] = fieldsOf(key);
          if (first === undefined) return [];
          const field = { ...first, ...(first.pick && { pick: pick(key) }) };
          return folded.has(key) ? field : differentField(field);
        }),
        ...(same === undefined ? [resourcesField(deployments, sharing)] : []),
      ],
    },
    ...(same === undefined ? {} : { sharedResources: same }),
  };
}

/** The resources of all, if these are the same. */
function sameResources(
  deployments: readonly PageDeployment[],
  { files, sharing, resourceButtons }: Pick<Sharing, 'files' | 'sharing' | 'resourceButtons'>,
): PageResources | undefined {
  const { key } = draftFields.resourceSpec;
  const [index = 0] = sharing;
  const [file, shown] = [files[index], deployments[index]?.resources];
  const isSame = sharing.every((other) => sameSpecValue(files[other]?.content?.[key], file?.content?.[key]));
  return file && shown && isSame ? { ...shown, ...resourceButtons(file, index) } : undefined;
}

/** Resources that differ: those of one of them, which the others can get. */
function resourcesField(deployments: readonly PageDeployment[], sharing: readonly number[]): PageField {
  const { key, label } = draftFields.resourceSpec;
  const options = sharing.map((index) => {
    const { title = '', resources, number } = deployments[index] ?? {};
    return { value: String(number), label: vscode.l10n.t('as {0}: {1}', title, resources?.summary ?? '') };
  });
  return differentField({ key, label: label(), help: '', value: '', usual: '', from: '', options, isLocked: false });
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

/**
 * What a text of a shared field stands for, or the choice of one deployment's resources for all.
 * @param withNumber the deployment with a number
 */
export function sharedValue(
  key: string,
  value: string,
  withNumber: (number: number) => Pick<FileDeployment, 'content'>,
): FileValue {
  const isOfOne = key === draftFields.resourceSpec.key;
  return { path: [key], value: isOfOne ? withNumber(Number(value)).content?.[key] : value };
}
