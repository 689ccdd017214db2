import * as l10n from '@vscode/l10n';
import type { FlavorName } from '../api/flavor.ts';
import type { NumberField, NumberRole } from './specFields.ts';
import { numberFields, unitOf } from './specFields.ts';
import type { Findings } from './specFinding.ts';
import { usableNumber } from './specNumbers.ts';
import { shortened } from './shortened.ts';
import type { SpecMap } from './specValue.ts';
import { isAbsent, isSpecMap } from './specValue.ts';

/** The range within which a value needs no comment; beyond it a slip of the keyboard is more likely than a wish. */
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

/** What the public analogue documents for cpu; other limits are the installation's. */
const usualOnLangsmith = { cpu: [0.1, 8], cpuLimit: [0.1, 16] } satisfies Partial<Record<NumberRole, [number, number]>>;

/** Adds what is worth knowing but forbids nothing. */
export function adviseSpec(spec: SpecMap, flavor: FlavorName, findings: Findings): void {
  for (const field of numberFields) adviseNumber(field, spec, flavor, findings);
  for (const key of ['labels', 'annotations'] as const) adviseTexts(spec, key, findings);
}

function adviseNumber(field: NumberField, spec: SpecMap, flavor: FlavorName, findings: Findings): void {
  if (isAbsent(spec[field.key])) return;
  const { role, group, key } = field;
  if (flavor === 'langsmith' && (group === 'orchestrator' || group === 'executor')) {
    findings.advice([key], l10n.t('This service says that it does not use this field.'));
    return;
  }
  const value = usableNumber(field, spec[key]);
  if (value === undefined) return;
  const isCpu = role === 'cpu' || role === 'cpuLimit';
  const [least, most] = flavor === 'langsmith' && isCpu ? usualOnLangsmith[role] : usual[role];
  if (value < least || value > most) {
    findings.advice([key], l10n.t('This is unusual: most values are from {0} to {1} {2}.', least, most, unitOf(role)));
  } else if (flavor === 'langsmith' && isCpu && Math.abs(value * 10 - Math.round(value * 10)) > 1e-9) {
    findings.advice([key], l10n.t('This service counts cpu in tenths of a core.'));
  }
}

/** Kubernetes takes nothing but text as the value of a label or an annotation. */
function adviseTexts(spec: SpecMap, key: 'labels' | 'annotations', findings: Findings): void {
  const map = spec[key];
  if (!isSpecMap(map)) return;
  for (const [name, value] of Object.entries(map)) {
    if (findings.isFull) return;
    if (typeof value === 'string') continue;
    findings.advice(
      [key, name],
      l10n.t('Kubernetes wants text as the value of "{0}". Put it in quotes.', shortened(name)),
    );
  }
}
