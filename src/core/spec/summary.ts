import * as l10n from '@vscode/l10n';
import type { ResourceSpec } from '../../api/schema/resourceSpec.ts';

/** The fields that the summary describes. It only counts the others. */
const told = new Set(['min_scale', 'max_scale', 'cpu', 'memory_mb', 'volumes', 'init_containers', 'sidecars']);

/** Describes a spec in one line, such as "2 replicas, 1.5 cores, 4096 MB, 1 volume, 1 sidecar". */
export function describeSpec(spec: ResourceSpec): string {
  const { min_scale: least, max_scale: most, cpu, memory_mb: memory, volumes, init_containers, sidecars } = spec;
  const words = [
    scaleWords(least ?? undefined, most ?? undefined),
    countWords(cpu, l10n.t('1 core'), (count) => l10n.t('{0} cores', count)),
    typeof memory === 'number' ? l10n.t('{0} MB', memory) : '',
    countWords(volumes?.length, l10n.t('1 volume'), (count) => l10n.t('{0} volumes', count)),
    countWords(init_containers?.length, l10n.t('1 init container'), (count) => l10n.t('{0} init containers', count)),
    countWords(sidecars?.length, l10n.t('1 sidecar'), (count) => l10n.t('{0} sidecars', count)),
  ].filter((part) => part !== '');
  const others = Object.entries(spec).filter(([key, value]) => !told.has(key) && value !== undefined && value !== null);
  const more = countWords(others.length, l10n.t('1 more value'), (count) => l10n.t('{0} more values', count));
  if (words.length === 0) {
    const only = countWords(others.length, l10n.t('1 value set'), (count) => l10n.t('{0} values set', count));
    return only === '' ? l10n.t('service defaults') : only;
  }
  return [...words, ...(more === '' ? [] : [more])].join(', ');
}

function scaleWords(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return l10n.t('at most {0} replicas', most ?? 0);
  if (most === undefined) return l10n.t('at least {0} replicas', least);
  if (least !== most) return l10n.t('{0} to {1} replicas', least, most);
  return least === 1 ? l10n.t('1 replica') : l10n.t('{0} replicas', least);
}

/** Formats a count. Empty for zero or no count. */
function countWords(count: number | null | undefined, one: string, many: (count: number) => string): string {
  if (count === undefined || count === null || count === 0) return '';
  return count === 1 ? one : many(count);
}
