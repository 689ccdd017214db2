import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../api/flavor.ts';
import { shortened } from '../text/text.ts';
import { fieldPairs, isSpecKey, numberFields, otherKeys, unitOf } from './fields.ts';
import type { FieldPair, NumberField, NumberRole } from './fields.ts';
import { errorAt, infoAt, locateFinding } from './findings.ts';
import type { Findings, SpecFinding } from './findings.ts';
import { imageNameAdvice, imageReferenceProblem } from './imageReference.ts';
import { numberProblem, quantityOf, usableNumber } from './numbers.ts';
import { checkShape, otherShapes } from './shapes.ts';
import { isAbsent, isSpecList, isSpecMap, textOf, valueAt } from '../yaml/value.ts';
import type { SpecMap, SpecPath, SpecValue } from '../yaml/value.ts';
import type { SpecDocument, TextFinding } from '../yaml/document.ts';

const mostFindings = 100;

/**
 * Checks a resource spec and returns up to 100 findings.
 * Errors are values that the interface or common sense forbids. Information covers unusual values and fields that the
 * flavor is known to ignore.
 */
export function checkSpec(spec: SpecMap, flavor: FlavorName): readonly SpecFinding[] {
  return [...checkAll(spec, flavor)].slice(0, mostFindings);
}

/** The findings about a text, in the order of their places. */
export function findingsIn(document: SpecDocument, flavor: FlavorName): readonly TextFinding[] {
  if (document.kind === 'unreadable') return document.findings;
  return checkSpec(document.spec, flavor)
    .map((finding) => locateFinding(document, finding))
    .toSorted((left, right) => left.start - right.start);
}

function* checkAll(spec: SpecMap, flavor: FlavorName): Findings {
  for (const key of Object.keys(spec)) if (!isSpecKey(key)) yield errorAt([key], unknownKey(key), 'key');
  for (const field of numberFields) yield* checkNumber(field, spec[field.key]);
  for (const pair of fieldPairs) yield* checkPair(pair, spec);
  for (const key of otherKeys) yield* checkShape(spec[key], otherShapes[key], [key]);
  yield* checkNames(spec);
  for (const field of numberFields) yield* checkUsualNumber(field, spec, flavor);
  for (const key of ['labels', 'annotations'] as const) yield* checkTexts(spec, key);
}

function unknownKey(key: string): string {
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (isSpecKey(snake)) return l10n.t('"{0}" isn\'t a field of a resource spec. Did you mean "{1}"?', key, snake);
  return l10n.t('"{0}" isn\'t a field of a resource spec.', shortened(key));
}

function* checkNumber(field: NumberField, value: SpecValue | undefined): Findings {
  const problem = isAbsent(value) ? undefined : numberProblem(field, value);
  if (problem !== undefined) yield errorAt([field.key], problem);
}

function* checkPair({ lower, upper }: FieldPair, spec: SpecMap): Findings {
  const least = usableNumber(lower, spec[lower.key]);
  const most = usableNumber(upper, spec[upper.key]);
  if (least === undefined || most === undefined || least <= most) return;
  const message =
    lower.role === 'minScale'
      ? l10n.t('The maximum ({0}) is below the minimum ({1}).', most, least)
      : l10n.t('The limit ({0}) is below the request ({1}).', most, least);
  yield errorAt([upper.key], message);
}

interface NamedItem {
  readonly name: string;
  readonly path: SpecPath;
}

/** Kubernetes accepts no other names of volumes and containers. */
const kubernetesName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const containerKeys = ['init_containers', 'sidecars'] as const;

/** Checks for duplicate and unusual names and images, mounts of missing volumes, unused volumes and doubtful variables. */
function* checkNames(spec: SpecMap): Findings {
  const volumes = namedItems(spec, 'volumes');
  const pullSecrets = namedItems(spec, 'image_pull_secrets');
  const containers = containerKeys.flatMap((key) => namedItems(spec, key));
  yield* checkDuplicates(volumes, (name) => l10n.t('There are two volumes named "{0}".', name));
  yield* checkDuplicates(pullSecrets, (name) => l10n.t('The image pull secret "{0}" is listed twice.', name));
  yield* checkDuplicates(containers, (name) => l10n.t('There are two containers named "{0}".', name));
  for (const { path } of [...volumes, ...containers].filter(({ name }) => !kubernetesName.test(name))) {
    yield infoAt(
      path,
      l10n.t('Kubernetes names have at most 63 lowercase letters, digits and hyphens, and no hyphen at either end.'),
    );
  }

  const known = new Set(volumes.map((volume) => volume.name));
  const mounted = new Set<string>();
  yield* checkMounts(spec['volume_mounts'], ['volume_mounts'], known, mounted);
  for (const key of containerKeys) {
    for (const [index, container] of itemsOf(spec[key])) {
      if (!isSpecMap(container)) continue;
      const image = textOf(container, 'image');
      const doubt = image === '' ? undefined : (imageReferenceProblem(image) ?? imageNameAdvice(image));
      if (doubt !== undefined) yield infoAt([key, index, 'image'], doubt);
      yield* checkMounts(container['volumeMounts'], [key, index, 'volumeMounts'], known, mounted);
      yield* checkVariables(container['env'], [key, index, 'env']);
      for (const kind of ['requests', 'limits']) {
        const place = ['resources', kind];
        yield* checkQuantities(valueAt(container, place), [key, index, ...place]);
      }
    }
  }
  for (const [index, volume] of itemsOf(spec['volumes'])) {
    const sizeLimit = valueAt(volume, ['emptyDir', 'sizeLimit']) ?? null;
    yield* checkQuantities({ sizeLimit }, ['volumes', index, 'emptyDir']);
  }
  for (const { name, path } of volumes.filter((volume) => !mounted.has(volume.name))) {
    yield infoAt(path, l10n.t('Nothing mounts the volume "{0}". Add it to the volume mounts.', shortened(name)));
  }
}

function* checkDuplicates(items: readonly NamedItem[], message: (name: string) => string): Findings {
  const seen = new Set<string>();
  for (const { name, path } of items) {
    if (seen.has(name)) yield errorAt(path, message(shortened(name)));
    seen.add(name);
  }
}

/** Checks the names and paths of mounts, and adds the names of mounted volumes to a set. */
function* checkMounts(
  mounts: SpecValue | undefined,
  path: SpecPath,
  volumes: ReadonlySet<string>,
  mounted: Set<string>,
): Findings {
  const paths = new Set<string>();
  for (const [index, mount] of itemsOf(mounts)) {
    const [name, mountPath] = [textOf(mount, 'name'), textOf(mount, 'mountPath')];
    if (name !== '' && !volumes.has(name)) {
      yield errorAt([...path, index, 'name'], l10n.t('There is no volume named "{0}".', shortened(name)));
    }
    if (mountPath !== '' && paths.has(mountPath)) {
      const message = l10n.t('Another volume is already mounted at "{0}".', shortened(mountPath));
      yield errorAt([...path, index, 'mountPath'], message);
    }
    if (/^[^/]/.test(mountPath)) {
      yield infoAt([...path, index, 'mountPath'], l10n.t('Kubernetes mounts at absolute paths. Begin with "/".'));
    }
    mounted.add(name);
    paths.add(mountPath);
  }
}

/** Checks that amounts are quantities. Kubernetes accepts nothing else. */
function* checkQuantities(amounts: SpecValue | undefined, path: SpecPath): Findings {
  for (const [key, amount] of isSpecMap(amounts) ? Object.entries(amounts) : []) {
    if (isAbsent(amount) || quantityOf(amount) !== undefined) continue;
    yield errorAt([...path, key], l10n.t('Enter an amount as Kubernetes writes it, such as 500m, 2 or 20Gi.'));
  }
}

/** The names of variables that every cluster accepts. Newer ones take all printable ASCII characters except "=". */
const variableName = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** Finds variables with unusual names, that look like secrets or are set twice. Kubernetes uses the last value. */
function* checkVariables(variables: SpecValue | undefined, path: SpecPath): Findings {
  const names = new Set<string>();
  for (const [index, variable] of itemsOf(variables)) {
    const [name, value] = [textOf(variable, 'name'), textOf(variable, 'value')];
    const place = [...path, index, 'name'];
    const quoted = shortened(name);
    if (/[^ -<>-~]/.test(name)) {
      yield errorAt(place, l10n.t('Kubernetes refuses this name. Use letters, digits, "_", "-" and ".".'));
    } else if (name !== '' && !variableName.test(name)) {
      const message = l10n.t(
        'Older clusters refuse this name. Use letters, digits, "_", "-" and ".", and no digit at the beginning.',
      );
      yield infoAt(place, message);
    }
    if (names.has(name)) yield infoAt(place, l10n.t('"{0}" is set twice. The last value counts.', quoted));
    if (name !== '') names.add(name);
    if (value !== '' && /(secret|password|token|api_?key|credential)/i.test(name)) {
      const message = l10n.t('"{0}" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.', quoted);
      yield infoAt(place, message);
    }
  }
}

function namedItems(spec: SpecMap, key: string): NamedItem[] {
  return itemsOf(spec[key])
    .map(([index, item]) => ({ name: textOf(item, 'name'), path: [key, index, 'name'] }))
    .filter(({ name }) => name !== '');
}

/** The items of a list with their positions. Empty if the value isn't a list. */
function itemsOf(value: SpecValue | undefined): readonly (readonly [index: number, item: SpecValue])[] {
  return isSpecList(value) ? [...value.entries()] : [];
}

/** The usual range of a value. Values outside of it are probably typing mistakes. */
const usual = {
  minScale: [0, 50],
  maxScale: [1, 100],
  cpu: [0.1, 64],
  cpuLimit: [0.1, 128],
  memory: [128, 262_144],
  memoryLimit: [128, 524_288],
  storage: [1, 16_384],
  connections: [10, 10_000],
} satisfies Record<NumberRole, readonly [number, number]>;

/** The CPU range that the public analogue documents. Other limits depend on the installation. */
const usualOnLangsmith = { cpu: [0.1, 8], cpuLimit: [0.1, 16] } satisfies Partial<Record<NumberRole, [number, number]>>;

/** Finds unusual values, which are allowed. */
function* checkUsualNumber(field: NumberField, spec: SpecMap, flavor: FlavorName): Findings {
  const { key, role, group } = field;
  if (isAbsent(spec[key])) return;
  if (flavor === 'langsmith' && (group === 'orchestrator' || group === 'executor')) {
    yield infoAt([key], l10n.t('This service ignores this field, according to its documentation.'));
    return;
  }
  const value = usableNumber(field, spec[key]);
  if (value === undefined) return;
  const isCpu = role === 'cpu' || role === 'cpuLimit';
  const [least, most] = flavor === 'langsmith' && isCpu ? usualOnLangsmith[role] : usual[role];
  if (value < least || value > most) {
    const message = l10n.t('This is unusual. Most values are between {0} and {1} {2}.', least, most, unitOf(role));
    yield infoAt([key], message);
  } else if (flavor === 'langsmith' && isCpu && Math.abs(value * 10 - Math.round(value * 10)) > 1e-9) {
    yield infoAt([key], l10n.t('This service counts CPU in tenths of a core.'));
  }
}

/** Kubernetes accepts only text as the value of a label or an annotation. */
function* checkTexts(spec: SpecMap, key: 'labels' | 'annotations'): Findings {
  const map = spec[key];
  const others = isSpecMap(map) ? Object.keys(map).filter((name) => typeof map[name] !== 'string') : [];
  for (const name of others) {
    const message = l10n.t('Kubernetes requires text as the value of "{0}". Put it in quotes.', shortened(name));
    yield infoAt([key, name], message);
  }
}
