import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { encodeField } from '../../../../src/core/spec/form.ts';
import { checkSpec } from '../../../../src/core/spec/rules.ts';
import { otherShapes, withPlainFlags } from '../../../../src/core/spec/shapes.ts';
import { parseSpecYaml, readSpecText } from '../../../../src/core/yaml/document.ts';
import { applyEdits } from '../../../../src/core/yaml/edit.ts';
import { specPart, tidyPastedYaml } from '../../../../src/core/spec/part.ts';

/** Sets a YAML field to a fragment and gives the whole text, what the field then shows, and the findings. */
function paste(key: 'volumes' | 'sidecars' | 'init_containers' | 'volume_mounts', fragment: string) {
  const value = encodeField(key, { kind: 'yaml', text: fragment });
  const result = applyEdits({ document: readSpecText('') }, [{ kind: 'set', path: [key], value }], []);
  if (result.kind === 'refused') throw new Error(result.message);
  const { document } = result.state;
  if (document.kind === 'unreadable') throw new Error(document.findings[0].message);
  const { spec } = document;
  return { shown: specPart(document, key).text, findings: checkSpec(spec, 'standard'), spec };
}

const volumes = {
  configMap:
    '- name: config\n  configMap:\n    name: app-config\n    defaultMode: 0644\n    items:\n    - key: settings.yaml\n      path: settings.yaml\n      mode: 0400',
  secret: '- name: tls\n  secret:\n    secretName: app-tls\n    optional: true',
  emptyDir: '- name: cache\n  emptyDir:\n    medium: Memory\n    sizeLimit: 64Mi',
  persistentVolumeClaim: '- name: data\n  persistentVolumeClaim:\n    claimName: data-claim\n    readOnly: false',
  nfs: '- name: share\n  nfs:\n    server: nfs.example\n    path: /exports',
  projected:
    '- name: all\n  projected:\n    defaultMode: 0440\n    sources:\n    - secret:\n        name: one\n    - serviceAccountToken:\n        path: token\n        expirationSeconds: 7200',
  downwardAPI:
    '- name: podinfo\n  downwardAPI:\n    items:\n    - path: labels\n      fieldRef:\n        fieldPath: metadata.labels',
  csi: '- name: inline\n  csi:\n    driver: secrets-store.csi.k8s.io # the driver\n    readOnly: true\n    volumeAttributes:\n      secretProviderClass: "app"',
};

describe('a volume', () => {
  it('is tested in all eight types', () => {
    expect(otherShapes.volumes).toMatchObject({ item: { oneOf: Object.keys(volumes) } });
  });

  it.each(Object.entries(volumes))('of type %s stays unchanged', (_kind, fragment) => {
    const { shown, findings } = paste('volumes', fragment);
    expect(shown).toBe(fragment);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

const sidecar = `- name: log-shipper
  image: "registry.example/shipper:1.2"
  imagePullPolicy: IfNotPresent
  workingDir: /work
  restartPolicy: Always
  command: ["/bin/sh", "-c"]
  args:
  - |
    exec shipper \\
      --config /etc/shipper.yaml
  env:
  - name: LEVEL
    value: "0"
  - name: NODE
    valueFrom:
      fieldRef:
        fieldPath: spec.nodeName
  envFrom:
  - configMapRef:
      name: shipper
  resources:
    limits:
      cpu: 500m
      memory: 128Mi
    requests:
      cpu: "0.1"
  securityContext:
    runAsUser: 1000
    capabilities:
      drop: [ALL]`;

describe('containers', () => {
  it('stays unchanged with all fields', () => {
    for (const key of ['sidecars', 'init_containers'] as const) {
      expect(paste(key, sidecar)).toMatchObject({ shown: sidecar, findings: [] });
    }
  });

  it('is refused at a probe, with the reason', () => {
    const { shown, findings } = paste('sidecars', `${sidecar}\n  livenessProbe:\n    httpGet:\n      port: 8080`);
    expect(shown).toContain('livenessProbe');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ severity: 'error', path: ['sidecars', 0, 'livenessProbe'], at: 'key' });
    expect(findings[0]?.message).toContain('"livenessProbe" isn\'t a field of a container in this service.');
  });
});

describe('a fragment as people have it', () => {
  it.each([
    ['a block of text with blank lines inside', '- name: a\n  image: b\n  args:\n  - |\n    x\n      \n\n    y'],
    ['a block of text with a line of blanks at its end', '- name: a\n  image: b\n  args:\n  - |\n    x\n        \n'],
    ['a block of text that keeps its blank lines', '- name: a\n  image: b\n  args:\n  - |+\n    x\n\n\n'],
    ['a start mark', '---\n- name: a\n  image: b'],
    ['a start mark after a comment', '# mine\n\n--- # start\n- name: a\n  image: b'],
    ['an end mark', '- name: a\n  image: b\n...\n'],
    ['merge keys', '- &x\n  name: a\n  image: b\n- <<: *x\n  name: c'],
  ])('with %s has the same value', (_what, fragment) => {
    const value = encodeField('sidecars', { kind: 'yaml', text: fragment });
    const result = applyEdits({ document: readSpecText('cpu: 1\n') }, [{ kind: 'set', path: ['sidecars'], value }], []);
    const expected = parseSpecYaml(fragment);
    const sidecars = expected.kind === 'parsed' ? expected.value : undefined;
    expect(result).toMatchObject({ kind: 'edited', state: { document: { spec: { cpu: 1, sidecars } } } });
    expect(paste('sidecars', tidyPastedYaml(fragment)).spec).toEqual({ sidecars });
  });

  const text = fc.constantFrom(
    'x',
    'yes',
    'Off',
    '0644',
    '1:30',
    '# x',
    'a: b',
    '- a',
    '',
    'a\n\n  b',
    'a\n    \n',
    'a\n\n',
    ' a\n',
  );
  const container = fc.record({
    name: fc.constant('a'),
    image: fc.constant('b'),
    args: fc.array(text, { minLength: 1, maxLength: 3 }),
    env: fc.array(fc.record({ name: fc.constant('X'), value: text }), { minLength: 1, maxLength: 2 }),
    securityContext: fc.record({ runAsNonRoot: fc.boolean() }),
    command: fc.array(text, { minLength: 1, maxLength: 2 }),
  });
  const layout = fc.record({ indent: fc.constantFrom(2, 4), indentSeq: fc.boolean() });
  const eol = fc.constantFrom('\n', '\r\n');

  it('is read like YAML 1.1 and shown as it was, in 100 generated lists', () => {
    fc.assert(
      fc.property(container, layout, fc.nat(10), eol, fc.boolean(), (item, options, column, lineEnd, inWords) => {
        const written = stringify([item], { ...options, compat: 'yaml-1.1', lineWidth: 0 });
        const list = inWords ? written.replace(/runAsNonRoot: true/, 'runAsNonRoot: yes') : written;
        const pasted = list.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(column)}`).replaceAll('\n', lineEnd);
        const { shown, findings, spec } = paste('sidecars', tidyPastedYaml(pasted));
        expect([list, list.trimEnd()]).toContain(shown);
        expect(withPlainFlags(spec)).toEqual({ sidecars: parse(list, { version: '1.1' }) });
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('is sent with true and false for the flags of YAML 1.1', () => {
    const mount = { name: 'a', mountPath: '/a' };
    const spec = {
      volume_mounts: [{ ...mount, readOnly: 'Yes' }],
      sidecars: [{ volumeMounts: [{ ...mount, readOnly: 'off' }] }],
    };
    const free = {
      volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's', optional: 'on' } }] } }],
      init_containers: [{ envFrom: [{ secretRef: { name: 'no', optional: 'no' } }] }],
    };
    expect(withPlainFlags(free)).toEqual({
      volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's', optional: true } }] } }],
      init_containers: [{ envFrom: [{ secretRef: { name: 'no', optional: false } }] }],
    });
    expect(withPlainFlags({ ...spec, labels: { a: 'yes' } })).toEqual({
      volume_mounts: [{ ...mount, readOnly: true }],
      sidecars: [{ volumeMounts: [{ ...mount, readOnly: false }] }],
      labels: { a: 'yes' },
    });
  });
});

describe('YAML pasted from a manifest', () => {
  const expected = '- name: a\n  emptyDir: {}\n- name: b\n  nfs:\n    server: s';
  it.each<[string, string, string?]>([
    ['as it is', expected],
    ['indented as a whole', expected.replaceAll(/^/gm, '      ')],
    ['with its key', `volumes:\n${expected}`],
    ['with its key, indented', `volumes:\n${expected}`.replaceAll(/^/gm, '    ')],
    ['with Windows line ends', expected.replaceAll('\n', '\r\n')],
    ['without the indentation of its first line', expected.replaceAll(/^/gm, '        ').trimStart()],
    ['with lines after it', `${expected}\n\n`],
    [
      'with dashes on lines of their own',
      expected.replaceAll('- ', '-\n  ').replaceAll(/^/gm, '    ').trimStart(),
      expected.replaceAll('- ', '-\n  '),
    ],
    [
      'with wide dashes',
      '-   name: a\n            nfs:\n                server: s',
      '-   name: a\n    nfs:\n        server: s',
    ],
    [
      'with comments in the column of the dashes',
      '- name: a\n      # one\n      emptyDir: {}\n    # two\n    - name: b',
      '- name: a\n  # one\n  emptyDir: {}\n# two\n- name: b',
    ],
    [
      'with comments outside of the list',
      '- name: a\n# [START]\n      emptyDir: {}\n  # end',
      '- name: a\n# [START]\n  emptyDir: {}\n# end',
    ],
  ])('%s', (_what, pasted, tidied = expected) => {
    expect(tidyPastedYaml(pasted)).toBe(tidied);
  });

  const pod = {
    volumes: '- name: v\n  emptyDir: {}',
    image_pull_secrets: '- name: s',
    init_containers: '- name: i\n  image: x',
    sidecars: '- name: c\n  image: x\n  volumeMounts:\n  - name: v\n    mountPath: /v',
    volume_mounts: '- name: v\n  mountPath: /v',
  };
  const spec = [
    `volumes:\n${pod.volumes}\nimagePullSecrets:\n${pod.image_pull_secrets}`,
    `initContainers:\n${pod.init_containers}\ncontainers:\n${pod.sidecars}`,
  ].join('\n');
  const specOf = (inner: string): string => `spec:\n${inner.replaceAll(/^/gm, '  ')}`;
  it.each([
    ['Pod', specOf(spec)],
    ['Deployment', specOf(`replicas: 1\ntemplate:\n${specOf(spec).replaceAll(/^/gm, '  ')}`)],
    [
      'CronJob',
      specOf(
        `jobTemplate:\n  ${specOf(`template:\n  ${specOf(spec).replaceAll('\n', '\n  ')}`).replaceAll('\n', '\n  ')}`,
      ),
    ],
  ])('gives each field its part of a whole %s', (kind, inner) => {
    const manifest = `apiVersion: v1\nkind: Service\nspec:\n  ports: []\n---\nkind: ${kind}\n${inner}\n---\n`;
    for (const [field, part] of Object.entries(pod)) expect(tidyPastedYaml(manifest, field)).toBe(part);
    expect(tidyPastedYaml(manifest, 'labels')).toBe(manifest.trimEnd());
  });

  it('is aligned if the first line lost its indentation', () => {
    expect(tidyPastedYaml('- name: a\n        emptyDir: {}')).toBe('- name: a\n  emptyDir: {}');
  });

  it('is aligned by the keys, also where a list inside stands in their column', () => {
    expect(tidyPastedYaml('- name: a\n      env:\n      - name: X\n        value: y\n      image: b')).toBe(
      '- name: a\n  env:\n  - name: X\n    value: y\n  image: b',
    );
    expect(tidyPastedYaml('- name: a\n    - name: b')).toBe('- name: a\n- name: b');
  });

  it("stays as it is if it isn't YAML", () => {
    expect(tidyPastedYaml('a: [')).toBe('a: [');
    expect(tidyPastedYaml('')).toBe('');
  });
});
