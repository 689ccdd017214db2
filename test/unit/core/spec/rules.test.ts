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
    ['a quoted number', '2', 'Enter a plain number of'],
    ['a decimal comma', '1,5', isWhole(role) ? 'such as 1 or 2.' : 'Enter a plain number of cores: 1.5.'],
    ['a comma between thousands', '1,024', isWhole(role) ? ': 1024.' : 'Enter a plain number of cores: 1.024.'],
    [
      'a number with a unit',
      '512Mi',
      role.startsWith('memory') ? 'Enter a plain number of MB: 512.' : 'Enter a number of',
    ],
    ['a number of thousandths', '500m', isWhole(role) ? 'Enter a number of' : 'Enter a plain number of cores: 0.5.'],
    ['an empty text', '', 'Enter a number of'],
    ['too large for a number', Number.POSITIVE_INFINITY, 'This number is too large.'],
    ['beyond exact integers', 1e300, 'This number is too large.'],
    ['not a number', Number.NaN, 'Enter a number of'],
    ['a list', [1], 'Enter a number of'],
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

/** A volume that is mounted, with fields of the volume and of the mount. */
const mounted = (volume: SpecMap, mount: SpecMap = {}): SpecMap => ({
  volumes: [{ name: 'a', ...volume }],
  volume_mounts: [{ name: 'a', mountPath: '/a', ...mount }],
});
const sidecar = (fields: SpecMap): SpecMap => ({ sidecars: [{ name: 's', image: 'i', ...fields }] });
const emptyDir = {};
const volume = { name: 'a', emptyDir };
const mount = { name: 'a', mountPath: '/a' };

it.each<[string, SpecMap, string]>([
  ['an unknown key', { cpus: 1 }, 'cpus: "cpus" isn\'t a field of a resource spec.'],
  [
    'a key in the spelling of Kubernetes',
    { minScale: 1 },
    'minScale: "minScale" isn\'t a field of a resource spec. Did you mean "min_scale"?',
  ],
  ['labels that are a list', { labels: ['a'] }, 'labels: Enter keys and values, not a list.'],
  [
    'a service account that is a number',
    { service_account_name: 7 },
    'service_account_name: This must be text. Put it in quotes: "7".',
  ],
  [
    'pull secrets that are text',
    { image_pull_secrets: 'a' },
    'image_pull_secrets: Enter a list (lines that begin with "- "), not text.',
  ],
  [
    'a pull secret twice',
    { image_pull_secrets: [{ name: 'a' }, { name: 'a' }] },
    'image_pull_secrets.1.name: The image pull secret "a" is listed twice.',
  ],
  ['an empty list item', { volumes: [null] }, 'volumes.0: This list item is empty. Fill it in or remove the line.'],
  [
    'two volumes of one name',
    { ...mounted({}), volumes: [volume, volume] },
    'volumes.1.name: There are two volumes named "a".',
  ],
  [
    'two containers of one name, one before and one beside the service',
    { ...sidecar({}), init_containers: [{ name: 's', image: 'i' }] },
    'sidecars.0.name: There are two containers named "s".',
  ],
  [
    'a mount that names no volume',
    { volume_mounts: [{ name: 'x', mountPath: '/x' }] },
    'volume_mounts.0.name: There is no volume named "x".',
  ],
  [
    'a mount of a container that names no volume',
    sidecar({ volumeMounts: [{ name: 'x', mountPath: '/x' }] }),
    'sidecars.0.volumeMounts.0.name: There is no volume named "x".',
  ],
  [
    'two mounts at one path',
    { ...mounted({ emptyDir }), volume_mounts: [mount, mount] },
    'volume_mounts.1.mountPath: Another volume is already mounted at "/a".',
  ],
  [
    'a volume of two kinds',
    mounted({ emptyDir, nfs: {} }),
    'volumes.0: Keep only one of emptyDir, nfs: a volume has a single type.',
  ],
  [
    'a flag that is text',
    mounted({ emptyDir }, { readOnly: 'maybe' }),
    'volume_mounts.0.readOnly: Enter true or false, not text.',
  ],
])('refuses %s', (_what, spec, expected) => {
  expect(lines(spec)).toEqual([`error ${expected}`]);
});

it.each<[string, SpecMap, string]>([
  [
    'a volume without a kind',
    mounted({}),
    'volumes.0: No kind is set. Kubernetes takes this as an emptyDir. The kinds are configMap, secret, emptyDir, persistentVolumeClaim, nfs, projected, downwardAPI, csi.',
  ],
  [
    'a container without an image',
    { sidecars: [{ name: 's' }] },
    'sidecars.0: The field "image" of a container is missing. Leave it out only to change a container that the service adds.',
  ],
  [
    'a flag in the words of YAML 1.1',
    mounted({ emptyDir }, { readOnly: 'yes' }),
    'volume_mounts.0.readOnly: Kubernetes reads "yes" as true. Better write true.',
  ],
])('advises about %s', (_what, spec, expected) => {
  expect(lines(spec)).toEqual([`info ${expected}`]);
});

const kubernetesName =
  'Kubernetes names have at most 63 lowercase letters, digits and hyphens, and no hyphen at either end.';

it.each<[string, SpecMap, 'standard' | 'langsmith', ...string[]]>([
  ['very many cores', { cpu: 500 }, 'standard', 'cpu: This is unusual. Most values are between 0.1 and 64 cores.'],
  [
    '9 cores where the service documents 8',
    { cpu: 9 },
    'langsmith',
    'cpu: This is unusual. Most values are between 0.1 and 8 cores.',
  ],
  [
    'hundredths of a core where the service counts tenths',
    { cpu: 0.25 },
    'langsmith',
    'cpu: This service counts CPU in tenths of a core.',
  ],
  [
    'the executor where the service ignores it',
    { executor_cpu: 1 },
    'langsmith',
    'executor_cpu: This service ignores this field, according to its documentation.',
  ],
  [
    'a volume and a container with names that Kubernetes refuses',
    { ...mounted({ name: 'Data Dir', emptyDir }, { name: 'Data Dir' }), ...sidecar({ name: 'a_b' }) },
    'standard',
    `volumes.0.name: ${kubernetesName}`,
    `sidecars.0.name: ${kubernetesName}`,
  ],
  [
    'an image with a name that is too long to pull',
    sidecar({ image: 'a'.repeat(300) }),
    'standard',
    "sidecars.0.image: Kubernetes can't pull an image whose name is longer than 255 characters.",
  ],
  [
    'an image that Kubernetes refuses',
    sidecar({ image: 'acme/My Agent' }),
    'standard',
    "sidecars.0.image: The image reference can't contain spaces.",
  ],
  [
    'a relative mount path',
    mounted({ emptyDir }, { mountPath: 'data' }),
    'standard',
    'volume_mounts.0.mountPath: Kubernetes mounts at absolute paths. Begin with "/".',
  ],
  [
    'memory written in Gi',
    { memory_mb: 4 },
    'standard',
    'memory_mb: This is unusual. Most values are between 128 and 262144 MB.',
  ],
  [
    'a label that is a number',
    { labels: { version: 1 } },
    'standard',
    'labels.version: Kubernetes requires text as the value of "version". Put it in quotes.',
  ],
  [
    'a volume that nothing mounts',
    { volumes: [volume] },
    'standard',
    'volumes.0.name: Nothing mounts the volume "a". Add it to the volume mounts.',
  ],
  [
    'a pull policy that Kubernetes does not know',
    sidecar({ imagePullPolicy: 'always' }),
    'standard',
    'sidecars.0.imagePullPolicy: "always" is unusual here. Kubernetes supports Always, IfNotPresent, Never.',
  ],
  [
    'a variable that is set twice',
    sidecar({ env: ['1', '2'].map((value) => ({ name: 'A', value })) }),
    'standard',
    'sidecars.0.env.1.name: "A" is set twice. The last value counts.',
  ],
  [
    'a variable that older clusters refuse',
    sidecar({ env: [{ name: '1BAD NAME' }, { name: 'a.B-_1' }] }),
    'standard',
    'sidecars.0.env.0.name: Older clusters refuse this name. Use letters, digits, "_", "-" and ".", and no digit at the beginning.',
  ],
  [
    'a secret written out',
    sidecar({ env: [{ name: 'DB_PASSWORD', value: 'canary' }] }),
    'standard',
    'sidecars.0.env.0.name: "DB_PASSWORD" looks like a secret. Keep it in a Kubernetes secret and use valueFrom.',
  ],
])('informs about %s without refusing it', (_what, spec, flavor, ...expected) => {
  expect(lines(spec, flavor)).toEqual(expected.map((line) => `info ${line}`));
});

it('stops after 100 findings', () => {
  const spec = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`unknown${index}`, 1]));
  expect(checkSpec(spec, 'standard')).toHaveLength(100);
});

describe('amounts and names that every cluster refuses are errors', () => {
  const amount = 'Enter an amount as Kubernetes writes it, such as 500m, 2 or 20Gi.';

  it.each(['20 GB', '20GB', 'much', '', '-1', true, ['1']])('an amount: %j', (value) => {
    const spec = {
      ...mounted({ emptyDir: { sizeLimit: value } }, {}),
      ...sidecar({ resources: { requests: { memory: value, cpu: 1 }, limits: { 'example.com/gpu': value } } }),
    };
    expect(lines(spec)).toEqual([
      `error sidecars.0.resources.requests.memory: ${amount}`,
      `error sidecars.0.resources.limits.example.com/gpu: ${amount}`,
      `error volumes.0.emptyDir.sizeLimit: ${amount}`,
    ]);
  });

  it.each(['20Gi', '500m', '1e3', '+1', 0.5, 2, null])('but not an amount as Kubernetes reads it: %j', (value) => {
    expect(lines(mounted({ emptyDir: { sizeLimit: value } }, {}))).toEqual([]);
  });

  it.each(['A=B', 'naïve', 'a\tb'])('a name of a variable: %j', (name) => {
    expect(lines(sidecar({ env: [{ name }] }))).toEqual([
      'error sidecars.0.env.0.name: Kubernetes refuses this name. Use letters, digits, "_", "-" and ".".',
    ]);
  });
});
