import * as l10n from '@vscode/l10n';
import { isAbsent, isSpecList, isSpecMap, mapsIn, textOf, valueAt } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';
import { scalarText } from '../yaml/placement.ts';
import type { FieldText } from '../yaml/placement.ts';
import type { ItemsKey } from './fields.ts';
import { flagOf, volumeKinds } from './shapes.ts';
import { countWords, moreKeysWords } from './specWords.ts';

/** A field of an item. */
export interface ItemField {
  /** The place of its value in the item. */
  readonly path: SpecPath;
  readonly label: string;
  /**
   * How it is edited: a text, an amount such as 500m or 2Gi, a choice, a flag, one text a line, the kind of a volume,
   * or environment variables with name and value.
   */
  readonly kind: 'text' | 'quantity' | 'choice' | 'flag' | 'lines' | 'volumeKind' | 'variables';
  /** What can be chosen, besides nothing. */
  readonly choices?: readonly string[];
}

/** The fields of an item. Those of a volume depend on its kind, and those of a mount on the volumes that there are. */
export function itemFields(key: ItemsKey, item: SpecMap, spec: SpecMap): readonly ItemField[] {
  const name = field(['name'], l10n.t('Name'));
  switch (key) {
    case 'volumes': {
      const kind = volumeKindOf(item);
      const choice: ItemField = { path: [kind ?? ''], label: l10n.t('Kind'), kind: 'volumeKind', choices: kindNames };
      return [name, choice, ...(kind === undefined ? [] : kindFields(kind))];
    }
    case 'volume_mounts':
      return [
        { path: ['name'], label: l10n.t('Volume'), kind: 'choice', choices: volumeNames(spec) },
        field(['mountPath'], l10n.t('Path')),
        field(['subPath'], l10n.t('Sub-path')),
        field(['readOnly'], l10n.t('Read-only'), 'flag'),
      ];
    case 'init_containers':
    case 'sidecars':
      return [
        name,
        field(['image'], l10n.t('Image')),
        field(['command'], l10n.t('Command, one word a line'), 'lines'),
        field(['args'], l10n.t('Arguments, one a line'), 'lines'),
        field(['env'], l10n.t('Environment'), 'variables'),
        field(['resources', 'requests', 'cpu'], l10n.t('CPU request'), 'quantity'),
        field(['resources', 'limits', 'cpu'], l10n.t('CPU limit'), 'quantity'),
        field(['resources', 'requests', 'memory'], l10n.t('Memory request'), 'quantity'),
        field(['resources', 'limits', 'memory'], l10n.t('Memory limit'), 'quantity'),
      ];
  }
}

const kindNames: readonly string[] = Object.keys(volumeKinds);

function field(path: SpecPath, label: string, kind: ItemField['kind'] = 'text'): ItemField {
  return { path, label, kind };
}

function kindFields(kind: string): readonly ItemField[] {
  const fields: Partial<Record<string, readonly ItemField[]>> = {
    configMap: [field([kind, 'name'], l10n.t('Config map'))],
    secret: [field([kind, 'secretName'], l10n.t('Secret'))],
    emptyDir: [
      field([kind, 'sizeLimit'], l10n.t('Size limit'), 'quantity'),
      { ...field([kind, 'medium'], l10n.t('Medium'), 'choice'), choices: ['Memory'] },
    ],
    persistentVolumeClaim: [
      field([kind, 'claimName'], l10n.t('Claim')),
      field([kind, 'readOnly'], l10n.t('Read-only'), 'flag'),
    ],
    nfs: [
      field([kind, 'server'], l10n.t('Server')),
      field([kind, 'path'], l10n.t('Path')),
      field([kind, 'readOnly'], l10n.t('Read-only'), 'flag'),
    ],
    csi: [field([kind, 'driver'], l10n.t('Driver')), field([kind, 'readOnly'], l10n.t('Read-only'), 'flag')],
  };
  return fields[kind] ?? [];
}

function volumeKindOf(item: SpecMap): string | undefined {
  return kindNames.find((kind) => !isAbsent(item[kind]));
}

function volumeNames(spec: SpecMap): readonly string[] {
  return [...new Set(mapsIn(spec['volumes']).map((volume) => textOf(volume, 'name')))].filter((name) => name !== '');
}

/** Whether a value is a list whose items can be shown with their fields. */
export function hasItems(value: SpecValue | undefined): value is readonly SpecMap[] | null | undefined {
  return isAbsent(value) || (isSpecList(value) && value.every(isSpecMap));
}

/** A field's value as text: true for a flag that is on, one line for each text. Undefined if a field can't show it. */
export function itemText(item: SpecMap, { path, kind }: ItemField): string | undefined {
  if (kind === 'volumeKind') return volumeKindOf(item) ?? '';
  const value = valueAt(item, path);
  if (isAbsent(value)) return '';
  if (kind === 'lines') {
    const lines = isSpecList(value) ? value.filter((line) => typeof line === 'string') : [];
    const isShown = isSpecList(value) && lines.length === value.length && !lines.some((line) => line.includes('\n'));
    return isShown ? lines.join('\n') : undefined;
  }
  if (kind === 'flag') return flagOf(value)?.toString();
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The environment variables of a container. One without a value of its own has its value from elsewhere. */
export function variablesOf(item: SpecMap): readonly { readonly name: string; readonly value: string | undefined }[] {
  const { env } = item;
  return (isSpecList(env) ? env : []).map((variable) => ({
    name: textOf(variable, 'name'),
    value: isSpecMap(variable) && isAbsent(variable['valueFrom']) ? textOf(variable, 'value') : undefined,
  }));
}

/** The text to write for a field's input. Undefined removes the value. */
export function encodeItemText(kind: ItemField['kind'], text: string): FieldText | undefined {
  if (text === '') return undefined;
  if (kind === 'flag') return text === 'true' ? { style: 'inline', text } : undefined;
  if (kind === 'quantity' && /^(0|[1-9]\d*)(\.\d+)?$/.test(text.trim())) return { style: 'inline', text: text.trim() };
  if (kind === 'lines') {
    const lines = text.split('\n').filter((line) => line !== '');
    return { style: 'block', text: lines.map((line) => `- ${scalarText(line)}`).join('\n') };
  }
  return { style: 'inline', text: scalarText(kind === 'quantity' ? text.trim() : text) };
}

/** A new item of a list, with what it certainly needs. */
export function newItem(key: ItemsKey, spec: SpecMap): FieldText {
  const freeName = (base: string, taken: readonly SpecMap[]): string => {
    const names = new Set(taken.map((item) => textOf(item, 'name')));
    let count = 1;
    while (names.has(`${base}-${count}`)) count += 1;
    return `${base}-${count}`;
  };
  if (key === 'volumes') {
    return { style: 'block', text: `name: ${freeName('volume', mapsIn(spec['volumes']))}\nemptyDir: {}` };
  }
  if (key === 'volume_mounts') {
    const mounted = new Set(mapsIn(spec['volume_mounts']).map((mount) => textOf(mount, 'name')));
    const volumes = volumeNames(spec);
    const name = volumes.find((volume) => !mounted.has(volume)) ?? volumes[0] ?? '';
    return { style: 'block', text: name === '' ? '{}' : `name: ${scalarText(name)}` };
  }
  const taken = [...mapsIn(spec['init_containers']), ...mapsIn(spec['sidecars'])];
  return { style: 'block', text: `name: ${freeName('container', taken)}` };
}

/** Says what an item is, such as "cache: emptyDir, 2Gi, mounted at /cache", and how much more it has than its fields. */
export function itemWords(key: ItemsKey, item: SpecMap, spec: SpecMap): string {
  const fields = itemFields(key, item, spec);
  const words =
    key === 'volumes' ? volumeWords(item, spec) : key === 'volume_mounts' ? mountWords(item) : containerWords(item);
  const named = words.filter((part) => part !== '').join(', ');
  const name = textOf(item, 'name') || l10n.t('(no name)');
  return `${named === '' ? name : `${name}: ${named}`} ${moreKeysWords(keysBesides(item, fields))}`.trimEnd();
}

function volumeWords(volume: SpecMap, spec: SpecMap): readonly string[] {
  const kind = volumeKindOf(volume);
  const name = textOf(volume, 'name');
  const details = (kind === undefined ? [] : kindFields(kind)).map((each) => fieldWords(volume, each));
  const paths = mapsIn(spec['volume_mounts'])
    .filter((mount) => textOf(mount, 'name') === name && name !== '')
    .map((mount) => textOf(mount, 'mountPath'))
    .filter((path) => path !== '');
  return [kind ?? '', ...details, paths.length === 0 ? '' : l10n.t('mounted at {0}', paths.join(', '))];
}

function fieldWords(item: SpecMap, each: ItemField): string {
  const text = itemText(item, each) ?? '';
  if (each.kind !== 'flag') return text;
  return text === 'true' ? l10n.t('read-only') : '';
}

function mountWords(mount: SpecMap): readonly string[] {
  const [path, subPath] = [textOf(mount, 'mountPath'), textOf(mount, 'subPath')];
  return [
    path === '' ? '' : l10n.t('mounted at {0}', path),
    subPath === '' ? '' : l10n.t('sub-path {0}', subPath),
    flagOf(mount['readOnly']) === true ? l10n.t('read-only') : '',
  ];
}

function containerWords(container: SpecMap): readonly string[] {
  const { length } = variablesOf(container);
  return [textOf(container, 'image'), countWords(length, l10n.t('1 variable'), () => l10n.t('{0} variables', length))];
}

/** The number of keys that an item has besides its fields. */
function keysBesides(item: SpecMap, fields: readonly ItemField[]): number {
  const count = (value: SpecMap, path: SpecPath): number =>
    Object.entries(value).reduce((sum, [key, member]) => {
      const place = [...path, key];
      const below = fields.filter((each) => place.every((step, index) => each.path[index] === step));
      const isField = below.some((each) => each.path.length === place.length && each.kind !== 'volumeKind');
      const isShown = below.some((each) => each.kind === 'variables' || itemText(item, each) !== undefined);
      if (isField) return sum + (isShown ? 0 : 1);
      return sum + (below.length > 0 && isSpecMap(member) ? count(member, place) : 1);
    }, 0);
  return count(item, []);
}
