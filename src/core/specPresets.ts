import * as l10n from '@vscode/l10n';
import type { NumberKey } from './specFields.ts';

export type PresetId = 'defaults' | 'small' | 'medium' | 'large';

export interface Preset {
  readonly id: PresetId;
  readonly label: string;
  /** What the preset sets, in words. */
  readonly description: string;
  /** The numbers that it sets; every other number of the spec is left to the service. */
  readonly numbers: Partial<Readonly<Record<NumberKey, number>>>;
}

/**
 * Sizes to start from, chosen here: small for an application under development, medium for one in steady use, and
 * large, which doubles each replica of medium. No published document of a service confirms these numbers.
 */
export function specPresets(): readonly Preset[] {
  return [
    {
      id: 'defaults',
      label: l10n.t('Service defaults'),
      description: l10n.t('Every number is left to the service.'),
      numbers: {},
    },
    {
      id: 'small',
      label: l10n.t('Small'),
      description: l10n.t('1 replica with 1 core and 1024 MB.'),
      numbers: { min_scale: 1, max_scale: 1, cpu: 1, cpu_limit: 2, memory_mb: 1024, memory_limit_mb: 2048 },
    },
    {
      id: 'medium',
      label: l10n.t('Medium'),
      description: l10n.t('1 to 10 replicas with 2 cores and 2048 MB each.'),
      numbers: { min_scale: 1, max_scale: 10, cpu: 2, cpu_limit: 4, memory_mb: 2048, memory_limit_mb: 4096 },
    },
    {
      id: 'large',
      label: l10n.t('Large'),
      description: l10n.t('2 to 10 replicas with 4 cores and 4096 MB each, a queue of its own.'),
      numbers: {
        min_scale: 2,
        max_scale: 10,
        cpu: 4,
        cpu_limit: 8,
        memory_mb: 4096,
        memory_limit_mb: 8192,
        queue_min_scale: 1,
        queue_max_scale: 10,
        queue_cpu: 2,
        queue_cpu_limit: 4,
        queue_memory_mb: 2048,
        queue_memory_limit_mb: 4096,
      },
    },
  ];
}
