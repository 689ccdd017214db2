import * as l10n from '@vscode/l10n';
import type { NumberKey } from './fields.ts';

export interface Preset {
  readonly label: string;
  readonly description: string;
  /** The numbers that the preset sets. The service decides all others. */
  readonly numbers: Partial<Readonly<Record<NumberKey, number>>>;
}

/** What else resources can start from, in words. */
export function specSources(): Readonly<Record<'fromDeployment' | 'fromFile', Omit<Preset, 'numbers'>>> {
  return {
    fromDeployment: {
      label: l10n.t('Deployment…'),
      description: l10n.t('The resources of an existing deployment.'),
    },
    fromFile: { label: l10n.t('File…'), description: l10n.t('A resource spec file.') },
  };
}

/** The requests of a server, a queue worker and Redis in all examples. One Gi is 1024 MB. */
const requests = { cpu: 1, memory_mb: 2048, queue_cpu: 1, queue_memory_mb: 2048, redis_memory_mb: 2048 };

/** The limits in the examples that name limits. */
const limits = {
  cpu_limit: 2,
  memory_limit_mb: 4096,
  queue_cpu_limit: 2,
  queue_memory_limit_mb: 4096,
  redis_memory_limit_mb: 2048,
};

/**
 * Sizes to start from: the examples of the service's public analogue for low, medium and high load.
 * Source: "Configure Agent Server for scale", section "Example self-hosted Agent Server configurations"
 * (docs.langchain.com/langsmith/agent-server-scale). Reads and writes have the same load. The example for low load
 * names no limits. The number of jobs per queue worker is left out: it's an environment variable there, and a resource
 * spec can't express it.
 */
export function specPresets(): readonly Preset[] {
  return [
    {
      label: l10n.t('Service defaults'),
      description: l10n.t('The service chooses every number.'),
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

/** Builds an example with the same number of reads and writes per second. */
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
