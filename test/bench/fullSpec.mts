import { numberFields } from '../../src/core/spec/fields.ts';

const numbers = numberFields.map(({ key, role }) => `${key}: ${role === 'minScale' ? 1 : 1024}`);
const labels = Array.from({ length: 12 }, (_, index) => `  example.com/label-${index}: value-${index}`);
const volumes = Array.from({ length: 10 }, (_, index) => [
  `  - name: volume-${index}`,
  '    configMap:',
  `      name: config-${index}`,
  '      defaultMode: 0644',
]).flat();
const mounts = Array.from({ length: 10 }, (_, index) => [
  `  - name: volume-${index}`,
  `    mountPath: /etc/${index}`,
]).flat();
const container = (name: string): string[] => [
  `  - name: ${name}`,
  `    image: registry.example/${name}:1.0`,
  '    command: ["/bin/sh", "-c"]',
  '    args:',
  '      - exec run --verbose',
  '    env:',
  ...Array.from({ length: 8 }, (_, index) => [`      - name: VARIABLE_${index}`, `        value: "${index}"`]).flat(),
  '    resources:',
  '      requests:',
  '        cpu: 100m',
  '      limits:',
  '        memory: 128Mi',
];

const specOf = (sidecars: readonly string[]): string =>
  `${[
    ...numbers,
    'labels:',
    ...labels,
    'annotations:',
    ...labels,
    'service_account_name: runner',
    'image_pull_secrets:',
    '  - name: registry',
    'volumes:',
    ...volumes,
    'volume_mounts:',
    ...mounts,
    'init_containers:',
    ...container('migrate'),
    'sidecars:',
    ...sidecars.flatMap(container),
  ].join('\n')}\n`;

/** A spec in which every group and every other field is filled. */
export const fullSpecText = specOf(['proxy', 'shipper']);

/** The same with some 2,000 lines. */
export const longSpecText = specOf(Array.from({ length: 70 }, (_, index) => `sidecar-${index}`));
