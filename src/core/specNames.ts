import * as l10n from '@vscode/l10n';
import type { Findings } from './specFinding.ts';
import { shortened } from './shortened.ts';
import type { SpecMap, SpecPath, SpecValue } from './specValue.ts';
import { isSpecList, isSpecMap } from './specValue.ts';

interface NamedItem {
  readonly name: string;
  readonly path: SpecPath;
}

/** Names that must be there once only, and mounts that must name a volume. */
export function checkNames(spec: SpecMap, findings: Findings): void {
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
      adviseVariables(container['env'], [key, index, 'env'], findings);
    }
  }
  for (const { name, path } of volumes) {
    if (mounted.has(name)) continue;
    findings.advice(path, l10n.t('Nothing mounts the volume "{0}". Add it to the volume mounts.', shortened(name)));
  }
}

const containerKeys = ['init_containers', 'sidecars'] as const;

function checkMounts(
  mounts: SpecValue | undefined,
  path: SpecPath,
  volumes: ReadonlySet<string>,
  mounted: Set<string>,
  findings: Findings,
): void {
  const paths = new Set<string>();
  for (const [index, mount] of itemsOf(mounts)) {
    const name = textOf(mount, 'name');
    if (name !== '') {
      mounted.add(name);
      if (!volumes.has(name)) {
        findings.error([...path, index, 'name'], l10n.t('There is no volume named "{0}".', shortened(name)));
      }
    }
    const mountPath = textOf(mount, 'mountPath');
    if (mountPath === '') continue;
    if (paths.has(mountPath)) {
      const message = l10n.t('Something is mounted at "{0}" already.', shortened(mountPath));
      findings.error([...path, index, 'mountPath'], message);
    }
    paths.add(mountPath);
  }
}

/** A variable that is set twice is allowed, and the last one wins: rarely what was meant. */
function adviseVariables(variables: SpecValue | undefined, path: SpecPath, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, variable] of itemsOf(variables)) {
    const name = textOf(variable, 'name');
    if (name === '') continue;
    const advise = (message: string): void => findings.advice([...path, index, 'name'], message);
    if (names.has(name)) advise(l10n.t('"{0}" is set twice. The last one counts.', shortened(name)));
    names.add(name);
    if (textOf(variable, 'value') !== '' && /(secret|password|token|api_?key|credential)/i.test(name)) {
      advise(l10n.t('"{0}" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.', shortened(name)));
    }
  }
}

function refuseDuplicates(items: readonly NamedItem[], findings: Findings, message: (name: string) => string): void {
  const seen = new Set<string>();
  for (const { name, path } of items) {
    if (seen.has(name)) findings.error(path, message(shortened(name)));
    seen.add(name);
  }
}

function namedItems(spec: SpecMap, key: string): NamedItem[] {
  return itemsOf(spec[key])
    .map(([index, item]) => ({ name: textOf(item, 'name'), path: [key, index, 'name'] }))
    .filter(({ name }) => name !== '');
}

/** The items of a list and their positions; nothing where there is no list. */
function itemsOf(value: SpecValue | undefined): readonly (readonly [index: number, item: SpecValue])[] {
  return isSpecList(value) ? [...value.entries()] : [];
}

/** The text below a key of a map, empty where there is none. */
function textOf(map: SpecValue, key: string): string {
  const value = isSpecMap(map) ? map[key] : undefined;
  return typeof value === 'string' ? value : '';
}
