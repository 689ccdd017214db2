import { describe, expect, it } from 'vitest';
import { fieldPairs, isWhole, numberFields } from '../../../../src/core/spec/fields.ts';
import { checkSpec } from '../../../../src/core/spec/rules.ts';
import type { SpecMap, SpecValue } from '../../../../src/core/yaml/value.ts';

const lines = (spec: SpecMap, flavor: 'standard' | 'langsmith' = 'standard') =>
  checkSpec(spec, flavor).map(({ severity, path, message }) => `${severity} ${path.join('.')}: ${message}`);
const errorsOf = (spec: SpecMap) => lines(spec).filter((line) => line.startsWith('error'));

describe.each(numberFields)('the number $key', ({ key, role }) => {
  it('can be missing, null or a usual value', () => {
    expect(lines({ [key]: null })).toEqual([]);
    expect(errorsOf({ [key]: isWhole(role) ? 512 : 0.5 })).toEqual([]);
  });

  it.each<[string, SpecValue, string]>([
    ['negative', -1, "This can't be negative."],
    ['text', 'abc', 'Enter a number of'],
    ['a quoted number', '2', 'without quotes or a unit: 2.'],
    ['a decimal comma', '1,5', 'without quotes or a unit: 1.5.'],
    [
      'a number with a unit',
      '512Mi',
      role.startsWith('memory') ? 'Enter a number of MB without quotes or a unit: 512.' : 'Enter a number of',
    ],
    [
      'a number of thousandths',
      '500m',
      isWhole(role) ? 'Enter a number of' : 'Enter a number of cores without quotes or a unit: 0.5.',
    ],
    ['an empty text', '', 'Enter a number of'],
    ['too large for a number', Number.POSITIVE_INFINITY, 'This number is too large.'],
    ['beyond exact integers', 1e300, 'This number is too large.'],
    ['not a number', Number.NaN, 'Enter a number of'],
    ['a truth value', true, 'Enter a number of'],
    ['a list', [1], 'Enter a number of'],
    ['keys and values', { a: 1 }, 'Enter a number of'],
  ])("can't be %s", (_what, value, words) => {
    const [first, ...others] = errorsOf({ [key]: value });
    expect(first).toContain(`error ${key}: `);
    expect(first).toContain(words);
    expect(others).toEqual([]);
  });

  it(isWhole(role) ? "can't be a fraction" : 'can be a fraction', () => {
    const errors = errorsOf({ [key]: 100.5 });
    expect(errors).toHaveLength(isWhole(role) ? 1 : 0);
    if (isWhole(role)) expect(errors[0]).toContain('such as 100 or 101');
  });
});

describe.each(fieldPairs)('the pair $lower.key and $upper.key', ({ lower, upper }) => {
  it('is refused at the second field if that is below the first', () => {
    const word =
      lower.role === 'minScale'
        ? 'The maximum (2) is below the minimum (3).'
        : 'The limit (2) is below the request (3).';
    expect(errorsOf({ [lower.key]: 3, [upper.key]: 2 })).toEqual([`error ${upper.key}: ${word}`]);
  });

  it('is accepted if both are equal or one is empty', () => {
    expect(errorsOf({ [lower.key]: 3, [upper.key]: 3 })).toEqual([]);
    expect(errorsOf({ [lower.key]: 3, [upper.key]: null })).toEqual([]);
    expect(errorsOf({ [upper.key]: 3 })).toEqual([]);
  });
});

it.each<[string, SpecMap, string[]]>([
  ['an unknown key', { cpus: 1 }, ['error cpus: "cpus" isn\'t a field of a resource spec.']],
  [
    'a key in the spelling of Kubernetes',
    { minScale: 1 },
    ['error minScale: "minScale" isn\'t a field of a resource spec. Did you mean "min_scale"?'],
  ],
  ['labels that are a list', { labels: ['a'] }, ['error labels: Enter keys and values, not a list.']],
  [
    'a service account that is a number',
    { service_account_name: 7 },
    ['error service_account_name: This must be text. Put it in quotes: "7".'],
  ],
  [
    'pull secrets that are text',
    { image_pull_secrets: 'a' },
    ['error image_pull_secrets: Enter a list (lines that begin with "- "), not text.'],
  ],
  [
    'a pull secret twice',
    { image_pull_secrets: [{ name: 'a' }, { name: 'a' }] },
    ['error image_pull_secrets.1.name: The image pull secret "a" is listed twice.'],
  ],
  [
    'an empty list item',
    { volumes: [null] },
    ['error volumes.0: This list item is empty. Fill it in or remove the line.'],
  ],
  [
    'two volumes of one name',
    {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'a', emptyDir: {} },
      ],
      volume_mounts: [{ name: 'a', mountPath: '/a' }],
    },
    ['error volumes.1.name: There are two volumes named "a".'],
  ],
  [
    'two containers of one name, one before and one beside the service',
    { init_containers: [{ name: 'a', image: 'i' }], sidecars: [{ name: 'a', image: 'i' }] },
    ['error sidecars.0.name: There are two containers named "a".'],
  ],
  [
    'a mount that names no volume',
    { volume_mounts: [{ name: 'x', mountPath: '/x' }] },
    ['error volume_mounts.0.name: There is no volume named "x".'],
  ],
  [
    'a mount of a container that names no volume',
    { sidecars: [{ name: 's', image: 'i', volumeMounts: [{ name: 'x', mountPath: '/x' }] }] },
    ['error sidecars.0.volumeMounts.0.name: There is no volume named "x".'],
  ],
  [
    'two mounts at one path',
    {
      volumes: [{ name: 'a', emptyDir: {} }],
      volume_mounts: [
        { name: 'a', mountPath: '/a' },
        { name: 'a', mountPath: '/a' },
      ],
    },
    ['error volume_mounts.1.mountPath: Another volume is already mounted at "/a".'],
  ],
  [
    'a volume without a kind',
    { volumes: [{ name: 'a' }], volume_mounts: [{ name: 'a', mountPath: '/a' }] },
    [expect.stringContaining('error volumes.0: The type is missing: a volume needs one of configMap,')],
  ],
  [
    'a volume of two kinds',
    { volumes: [{ name: 'a', emptyDir: {}, nfs: {} }], volume_mounts: [{ name: 'a', mountPath: '/a' }] },
    ['error volumes.0: Keep only one of emptyDir, nfs: a volume has a single type.'],
  ],
  [
    'a container without an image',
    { sidecars: [{ name: 's' }] },
    ['error sidecars.0: The field "image" of a container is missing.'],
  ],
  [
    'a probe, for which the interface has no place',
    { sidecars: [{ name: 's', image: 'i', livenessProbe: {} }] },
    [
      expect.stringContaining(
        'error sidecars.0.livenessProbe: "livenessProbe" isn\'t a field of a container in this service.',
      ),
    ],
  ],
  [
    'an environment value that is a number',
    { sidecars: [{ name: 's', image: 'i', env: [{ name: 'PORT', value: 8080 }] }] },
    ['error sidecars.0.env.0.value: This must be text. Put it in quotes: "8080".'],
  ],
  [
    'a flag that is text',
    { volumes: [{ name: 'a', emptyDir: {} }], volume_mounts: [{ name: 'a', mountPath: '/a', readOnly: 'yes' }] },
    ['error volume_mounts.0.readOnly: Enter true or false, not text.'],
  ],
])('refuses %s', (_what, spec, expected) => {
  expect(lines(spec)).toEqual(expected);
});

it.each<[string, SpecMap, 'standard' | 'langsmith', string[]]>([
  [
    'very many cores',
    { cpu: 500 },
    'standard',
    ['info cpu: This is unusual. Most values are between 0.1 and 64 cores.'],
  ],
  [
    '9 cores where the service documents 8',
    { cpu: 9 },
    'langsmith',
    ['info cpu: This is unusual. Most values are between 0.1 and 8 cores.'],
  ],
  [
    'hundredths of a core where the service counts tenths',
    { cpu: 0.25 },
    'langsmith',
    ['info cpu: This service counts CPU in tenths of a core.'],
  ],
  [
    'the executor where the service ignores it',
    { executor_cpu: 1 },
    'langsmith',
    ['info executor_cpu: This service ignores this field, according to its documentation.'],
  ],
  [
    'a volume and a container with names that Kubernetes refuses',
    {
      volumes: [{ name: 'Data Dir', emptyDir: {} }],
      volume_mounts: [{ name: 'Data Dir', mountPath: '/data' }],
      sidecars: [{ name: 'a_b', image: 'i' }],
    },
    'standard',
    [
      'info volumes.0.name: Kubernetes names have at most 63 lowercase letters, digits and hyphens, and no hyphen at either end.',
      'info sidecars.0.name: Kubernetes names have at most 63 lowercase letters, digits and hyphens, and no hyphen at either end.',
    ],
  ],
  [
    'images that Kubernetes refuses',
    {
      sidecars: [
        { name: 'a', image: 'a'.repeat(300) },
        { name: 'b', image: 'acme/My Agent' },
      ],
    },
    'standard',
    [
      "info sidecars.0.image: Kubernetes can't pull an image whose name is longer than 255 characters.",
      "info sidecars.1.image: The image reference can't contain spaces.",
    ],
  ],
  [
    'a relative mount path',
    { volumes: [{ name: 'data', emptyDir: {} }], volume_mounts: [{ name: 'data', mountPath: 'data' }] },
    'standard',
    ['info volume_mounts.0.mountPath: Kubernetes mounts at absolute paths. Begin with "/".'],
  ],
  [
    'memory written in Gi',
    { memory_mb: 4 },
    'standard',
    ['info memory_mb: This is unusual. Most values are between 128 and 262144 MB.'],
  ],
  [
    'a label that is a number',
    { labels: { version: 1 } },
    'standard',
    ['info labels.version: Kubernetes requires text as the value of "version". Put it in quotes.'],
  ],
  [
    'a volume that nothing mounts',
    { volumes: [{ name: 'a', emptyDir: {} }] },
    'standard',
    ['info volumes.0.name: Nothing mounts the volume "a". Add it to the volume mounts.'],
  ],
  [
    'a pull policy that Kubernetes does not know',
    { sidecars: [{ name: 's', image: 'i', imagePullPolicy: 'always' }] },
    'standard',
    ['info sidecars.0.imagePullPolicy: "always" is unusual here. Kubernetes supports Always, IfNotPresent, Never.'],
  ],
  [
    'a variable that is set twice',
    {
      sidecars: [
        {
          name: 's',
          image: 'i',
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ],
    },
    'standard',
    ['info sidecars.0.env.1.name: "A" is set twice. The last value counts.'],
  ],
  [
    'a secret written out',
    { sidecars: [{ name: 's', image: 'i', env: [{ name: 'DB_PASSWORD', value: 'canary' }] }] },
    'standard',
    [
      'info sidecars.0.env.0.name: "DB_PASSWORD" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.',
    ],
  ],
])('informs about %s without refusing it', (_what, spec, flavor, expected) => {
  expect(lines(spec, flavor)).toEqual(expected);
});

it('stops after 100 findings', () => {
  const spec = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
  expect(checkSpec(spec, 'standard')).toHaveLength(100);
});
