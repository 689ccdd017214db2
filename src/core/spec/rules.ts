import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../../api/flavor.ts';
import { shortened } from '../text/text.ts';
import { fieldPairs, isSpecKey, numberFields, otherKeys, unitOf } from './fields.ts';
import type { FieldPair, NumberField, NumberRole } from './fields.ts';
import { errorAt, infoAt, locateFinding } from './findings.ts';
import type { SpecFinding, TextFinding } from './findings.ts';
import { numberProblem, usableNumber } from './numbers.ts';
import { checkShape, otherShapes } from './shapes.ts';
import { isAbsent, isSpecList, isSpecMap } from './value.ts';
import type { SpecMap, SpecPath, SpecValue } from './value.ts';
import type { SpecDocument } from './yaml/document.ts';

interface NamedItem {
  readonly name: string;
  readonly path: SpecPath;
}

/** Checks for duplicate names, mounts of missing volumes, unused volumes and doubtful variables. */
function checkNames(spec: SpecMap, findings: SpecFinding[]): void {
  const volumes = namedItems(spec, 'volumes');
  refuseDuplicates(volumes, findings, (name) => l10n.t('There are two volumes named "{0}".', name));
  refuseDuplicates(namedItems(spec, 'image_pull_secrets'), findings, (name) =>
    l10n.t('The image pull secret "{0}" is listed twice.', name),
  );
  const containers = containerKeys.flatMap((key) => namedItems(spec, key));
  refuseDuplicates(containers, findings, (name) => l10n.t('There are two containers named "{0}".', name));

  const known = new Set(volumes.map((volume) => volume.name));
  const mounted = new Set<string>();
  checkMounts(spec['volume_mounts'], ['volume_mounts'], known, mounted, findings);
  for (const key of containerKeys) {
    for (const [index, container] of itemsOf(spec[key])) {
      if (!isSpecMap(container)) continue;
      checkMounts(container['volumeMounts'], [key, index, 'volumeMounts'], known, mounted, findings);
      checkVariables(container['env'], [key, index, 'env'], findings);
    }
  }
  for (const { name, path } of volumes) {
    if (mounted.has(name)) continue;
    const message = l10n.t('Nothing mounts the volume "{0}". Add it to the volume mounts.', shortened(name));
    findings.push(infoAt(path, message));
  }
}

const containerKeys = ['init_containers', 'sidecars'] as const;

function checkMounts(
  mounts: SpecValue | undefined,
  path: SpecPath,
  volumes: ReadonlySet<string>,
  mounted: Set<string>,
  findings: SpecFinding[],
): void {
  const paths = new Set<string>();
  for (const [index, mount] of itemsOf(mounts)) {
    const name = textOf(mount, 'name');
    if (name !== '') {
      mounted.add(name);
      if (!volumes.has(name)) {
        const message = l10n.t('There is no volume named "{0}".', shortened(name));
        findings.push(errorAt([...path, index, 'name'], message));
      }
    }
    const mountPath = textOf(mount, 'mountPath');
    if (mountPath === '') continue;
    if (paths.has(mountPath)) {
      const message = l10n.t('Another volume is already mounted at "{0}".', shortened(mountPath));
      findings.push(errorAt([...path, index, 'mountPath'], message));
    }
    paths.add(mountPath);
  }
}

/** Finds variables that look like secrets or are set twice. Kubernetes uses the last value. */
function checkVariables(variables: SpecValue | undefined, path: SpecPath, findings: SpecFinding[]): void {
  const names = new Set<string>();
  for (const [index, variable] of itemsOf(variables)) {
    const name = textOf(variable, 'name');
    if (name === '') continue;
    const inform = (message: string): void => void findings.push(infoAt([...path, index, 'name'], message));
    if (names.has(name)) inform(l10n.t('"{0}" is set twice. The last value counts.', shortened(name)));
    names.add(name);
    if (textOf(variable, 'value') !== '' && /(secret|password|token|api_?key|credential)/i.test(name)) {
      inform(l10n.t('"{0}" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.', shortened(name)));
    }
  }
}

function refuseDuplicates(
  items: readonly NamedItem[],
  findings: SpecFinding[],
  message: (name: string) => string,
): void {
  const seen = new Set<string>();
  for (const { name, path } of items) {
    if (seen.has(name)) findings.push(errorAt(path, message(shortened(name))));
    seen.add(name);
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

/** The text of a map's key. Empty if there is none. */
function textOf(map: SpecValue, key: string): string {
  const value = isSpecMap(map) ? map[key] : undefined;
  return typeof value === 'string' ? value : '';
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
function checkUsual(spec: SpecMap, flavor: FlavorName, findings: SpecFinding[]): void {
  for (const field of numberFields) checkUsualNumber(field, spec, flavor, findings);
  for (const key of ['labels', 'annotations'] as const) checkTexts(spec, key, findings);
}

function checkUsualNumber(field: NumberField, spec: SpecMap, flavor: FlavorName, findings: SpecFinding[]): void {
  if (isAbsent(spec[field.key])) return;
  const { role, group, key } = field;
  if (flavor === 'langsmith' && (group === 'orchestrator' || group === 'executor')) {
    findings.push(infoAt([key], l10n.t('This service ignores this field, according to its documentation.')));
    return;
  }
  const value = usableNumber(field, spec[key]);
  if (value === undefined) return;
  const isCpu = role === 'cpu' || role === 'cpuLimit';
  const [least, most] = flavor === 'langsmith' && isCpu ? usualOnLangsmith[role] : usual[role];
  if (value < least || value > most) {
    const message = l10n.t('This is unusual. Most values are between {0} and {1} {2}.', least, most, unitOf(role));
    findings.push(infoAt([key], message));
  } else if (flavor === 'langsmith' && isCpu && Math.abs(value * 10 - Math.round(value * 10)) > 1e-9) {
    findings.push(infoAt([key], l10n.t('This service counts CPU in tenths of a core.')));
  }
}

/** Kubernetes accepts only text as the value of a label or an annotation. */
function checkTexts(spec: SpecMap, key: 'labels' | 'annotations', findings: SpecFinding[]): void {
  const map = spec[key];
  if (!isSpecMap(map)) return;
  for (const [name, value] of Object.entries(map)) {
    if (typeof value === 'string') continue;
    const message = l10n.t('Kubernetes requires text as the value of "{0}". Put it in quotes.', shortened(name));
    findings.push(infoAt([key, name], message));
  }
}

const mostFindings = 100;

/**
 * Checks a resource spec and returns up to 100 findings.
 * Errors are values that the interface or common sense forbids. Information covers unusual values and fields that the
 * flavor is known to ignore.
 */
export function checkSpec(spec: SpecMap, flavor: FlavorName): readonly SpecFinding[] {
  const findings: SpecFinding[] = [];
  for (const key of Object.keys(spec)) if (!isSpecKey(key)) findings.push(errorAt([key], unknownKey(key), 'key'));
  for (const field of numberFields) checkNumber(field, spec[field.key], findings);
  for (const pair of fieldPairs) checkPair(pair, spec, findings);
  for (const key of otherKeys) checkShape(spec[key], otherShapes[key], [key], findings);
  checkNames(spec, findings);
  checkUsual(spec, flavor, findings);
  return findings.slice(0, mostFindings);
}

/** The findings about a text, in the order of their places. */
export function findingsIn(document: SpecDocument, flavor: FlavorName): readonly TextFinding[] {
  if (document.kind === 'unreadable') return document.findings;
  return checkSpec(document.spec, flavor)
    .map((finding) => locateFinding(document, finding))
    .toSorted((left, right) => left.start - right.start);
}

function checkNumber(field: NumberField, value: SpecValue | undefined, findings: SpecFinding[]): void {
  if (isAbsent(value)) return;
  const problem = numberProblem(field, value);
  if (problem !== undefined) findings.push(errorAt([field.key], problem));
}

function checkPair({ lower, upper }: FieldPair, spec: SpecMap, findings: SpecFinding[]): void {
  const least = usableNumber(lower, spec[lower.key]);
  const most = usableNumber(upper, spec[upper.key]);
  if (least === undefined || most === undefined || least <= most) return;
  const message =
    lower.role === 'minScale'
      ? l10n.t('The maximum ({0}) is below the minimum ({1}).', most, least)
      : l10n.t('The limit ({0}) is below the request ({1}).', most, least);
  findings.push(errorAt([upper.key], message));
}

function unknownKey(key: string): string {
  const snake = key.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  if (isSpecKey(snake)) return l10n.t('"{0}" isn\'t a field of a resource spec. Did you mean "{1}"?', key, snake);
  return l10n.t('"{0}" isn\'t a field of a resource spec.', shortened(key));
}
