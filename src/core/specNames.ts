import * as l10n from '@vscode/l10n';
import type { Findings } from './specFinding.ts';
import { shortened } from './specShapeCheck.ts';
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
  const containers = [...namedItems(spec, 'init_containers'), ...namedItems(spec, 'sidecars')];
  refuseDuplicates(containers, findings, (name) => l10n.t('There are two containers named "{0}".', name));

  const known = new Set(volumes.map((volume) => volume.name));
  const mounted = new Set<string>();
  checkMounts(spec['volume_mounts'], ['volume_mounts'], known, mounted, findings);
  for (const key of ['init_containers', 'sidecars']) {
    for (const [index, container] of listOf(spec[key]).entries()) {
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

function checkMounts(
  mounts: SpecValue | undefined,
  path: SpecPath,
  volumes: Set<string>,
  mounted: Set<string>,
  findings: Findings,
): void {
  const paths = new Set<string>();
  for (const [index, mount] of listOf(mounts).entries()) {
    if (!isSpecMap(mount)) continue;
    const name = mount['name'];
    const mountPath = mount['mountPath'];
    if (typeof name === 'string' && name !== '') mounted.add(name);
    if (typeof name === 'string' && name !== '' && !volumes.has(name)) {
      findings.error([...path, index, 'name'], l10n.t('There is no volume named "{0}".', shortened(name)));
    }
    if (typeof mountPath !== 'string') continue;
    if (paths.has(mountPath)) {
      findings.error(
        [...path, index, 'mountPath'],
        l10n.t('Something is mounted at "{0}" already.', shortened(mountPath)),
      );
    }
    paths.add(mountPath);
  }
}

/** A variable that is set twice is allowed, and the last one wins: rarely what was meant. */
function adviseVariables(variables: SpecValue | undefined, path: SpecPath, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, variable] of listOf(variables).entries()) {
    const name = isSpecMap(variable) ? variable['name'] : undefined;
    if (typeof name !== 'string') continue;
    if (names.has(name)) {
      findings.advice([...path, index, 'name'], l10n.t('"{0}" is set twice. The last one counts.', shortened(name)));
    }
    names.add(name);
    const isLiteral = isSpecMap(variable) && typeof variable['value'] === 'string' && variable['value'] !== '';
    if (isLiteral && /(secret|password|token|api_?key|credential)/i.test(name)) {
      findings.advice(
        [...path, index, 'name'],
        l10n.t('"{0}" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.', shortened(name)),
      );
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
  return [...listOf(spec[key]).entries()].flatMap(([index, item]) => {
    const name = isSpecMap(item) ? item['name'] : undefined;
    return typeof name === 'string' && name !== '' ? [{ name, path: [key, index, 'name'] }] : [];
  });
}

function listOf(value: SpecValue | undefined): readonly SpecValue[] {
  return isSpecList(value) ? value : [];
}
