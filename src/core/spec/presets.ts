import * as l10n from '@vscode/l10n';
import type { NumberKey } from './fields.ts';

export interface Preset {
  readonly label: string;
  /** What the preset is meant for and what it sets, in words. */
  readonly description: string;
  /** The numbers that it sets; every other number of the spec is left to the service. */
  readonly numbers: Partial<Readonly<Record<NumberKey, number>>>;
}

/** What one server, one queue worker and Redis get in each of the examples; a Gi is 1024 MB. */
const requests = { cpu: 1, memory_mb: 2048, queue_cpu: 1, queue_memory_mb: 2048, redis_memory_mb: 2048 };

/** The most that they may use, where an example says so. */
const limits = {
  cpu_limit: 2,
  memory_limit_mb: 4096,
  queue_cpu_limit: 2,
  queue_memory_limit_mb: 4096,
  redis_memory_limit_mb: 2048,
};

/**
 * Sizes to start from: small, medium and large are the examples for low, medium and high load (reads and writes alike)
 * of the public analogue of the service, in "Configure Agent Server for scale", section "Example self-hosted Agent
 * Server configurations" (docs.langchain.com/langsmith/agent-server-scale). Its example for low load names no limits.
 * What a resource spec cannot say is left out: the number of jobs that a queue worker takes at a time, which is an
 * environment variable there.
 */
export function specPresets(): readonly Preset[] {
  return [
    {
      label: l10n.t('Service defaults'),
      description: l10n.t('Every number is left to the service.'),
      numbers: {},
    },
    example(l10n.t('Small'), 5, {
      min_scale: 1,
      max_scale: 1,
      queue_min_scale: 1,
      queue_max_scale: 1,
      db_cpu: 2,
      db_memory_mb: 8192,
    }),
    example(l10n.t('Medium'), 50, {
      ...limits,
      min_scale: 3,
      max_scale: 3,
      queue_min_scale: 5,
      queue_max_scale: 5,
      db_cpu: 4,
      db_cpu_limit: 8,
      db_memory_mb: 16_384,
      db_memory_limit_mb: 32_768,
    }),
    example(l10n.t('Large'), 500, {
      ...limits,
      min_scale: 15,
      max_scale: 25,
      queue_min_scale: 10,
      queue_max_scale: 20,
      db_cpu: 8,
      db_cpu_limit: 16,
      db_memory_mb: 32_768,
      db_memory_limit_mb: 65_536,
    }),
  ];
}

type ScaleKey = 'min_scale' | 'max_scale' | 'queue_min_scale' | 'queue_max_scale';

/** An example for as many reads as writes in a second. */
function example(label: string, load: number, numbers: Preset['numbers'] & Record<ScaleKey, number>): Preset {
  const replicas = range(numbers.min_scale, numbers.max_scale);
  const workers = range(numbers.queue_min_scale, numbers.queue_max_scale);
  return {
    label,
    description: l10n.t(
      'About {0} reads and {0} writes a second. Replicas: {1}, queue workers: {2}.',
      load,
      replicas,
      workers,
    ),
    numbers: { ...requests, ...numbers },
  };
}

function range(least: number, most: number): string {
  return least === most ? String(least) : `${least}–${most}`;
}
