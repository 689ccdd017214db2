import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptySpecValues,
  hasSpecValues,
  hideSpecValues,
  hideValues,
  withoutCredentials,
} from '../../../src/core/hideValues.ts';

describe('hideValues', () => {
  it('keeps the names of secrets and variables, and nothing of their values', () => {
    const resource = {
      name: 'agent',
      secrets: [{ name: 'TOKEN', value: 'canary' }, { name: 'WITHOUT' }],
      source_config: {
        resource_spec: {
          sidecars: [
            {
              name: 'proxy',
              env: [
                { name: 'KEY', value: 'canary' },
                { name: 'FROM', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
              ],
            },
          ],
        },
      },
    };
    expect(hideValues(resource)).toEqual({
      name: 'agent',
      secrets: [{ name: 'TOKEN', value: '(hidden)' }, { name: 'WITHOUT' }],
      source_config: {
        resource_spec: {
          sidecars: [
            {
              name: 'proxy',
              env: [
                { name: 'KEY', value: '(hidden)' },
                { name: 'FROM', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
              ],
            },
          ],
        },
      },
    });
  });

  it.for([
    ['a map', { KEY: 'canary', OTHER: { nested: 'canary' } }, { KEY: '(hidden)', OTHER: '(hidden)' }],
    ['lines', ['KEY=can=ary', 'canary'], ['KEY=(hidden)', '(hidden)']],
    ['one text', 'canary', '(hidden)'],
    ['numbers', [42], ['(hidden)']],
    ['nothing', null, null],
    ['a list of nothing', [null], ['(hidden)']],
  ] as const)('hides values that are written as %s', ([, env, shown]) => {
    expect(hideValues({ env })).toEqual({ env: shown });
  });

  it('leaves no trace of a value, however a resource nests', () => {
    const leaf = fc.constantFrom<unknown>(1, true, null, 'plain', { env: [{ name: 'A', value: 'canary' }] }, [
      { secrets: [{ name: 'B', value: 'canary' }] },
      { env: { C: 'canary' } },
    ]);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(fc.string(), tie('tree'))),
    }));
    fc.assert(fc.property(tree, (resource) => !JSON.stringify(hideValues(resource) ?? null).includes('canary')));
  });

  it('keeps everything else', () => {
    const resource = {
      replicas: 2,
      isPaused: false,
      note: null,
      texts: ['--token', 'main'],
      args: 'run',
      command: [1, 'a'],
    };
    expect(hideValues(resource)).toEqual(resource);
  });

  it('takes user name and password out of addresses', () => {
    expect(hideValues({ repo_url: 'https://me:canary@code.example/acme/app' })).toEqual({
      repo_url: 'https://code.example/acme/app',
    });
  });
});

describe('withoutCredentials', () => {
  it.for([
    ['https://token@code.example/a', 'https://code.example/a'],
    ['see ssh://git:canary@host:22/a and http://u:p@b', 'see ssh://host:22/a and http://b'],
    ['ssh://git@host:22/a', 'ssh://git@host:22/a'],
    ['https://code.example/a@b', 'https://code.example/a@b'],
    ['git@code.example:acme/app.git', 'git@code.example:acme/app.git'],
    ['registry.example/app@sha256:abc', 'registry.example/app@sha256:abc'],
  ] as const)('makes %s into %s', ([text, shown]) => {
    expect(withoutCredentials(text)).toBe(shown);
  });
});

describe('the values of environment variables of a spec', () => {
  const reference = { name: 'FROM', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } };
  const spec = {
    cpu: 1,
    init_containers: [{ name: 'first', env: [{ name: 'KEY', value: 'canary' }] }, { name: 'plain' }],
    sidecars: [{ name: 'proxy', env: [{ name: 'KEY', value: 'canary' }, reference] }],
  };

  it('are hidden, and their names and references are kept', () => {
    expect(hideSpecValues(spec)).toEqual({
      cpu: 1,
      init_containers: [{ name: 'first', env: [{ name: 'KEY', value: '(hidden)' }] }, { name: 'plain' }],
      sidecars: [{ name: 'proxy', env: [{ name: 'KEY', value: '(hidden)' }, reference] }],
    });
  });

  it('are not told from nothing where there are none', () => {
    const env = [{ name: 'A', value: null }, { name: 'B', value: '' }, { name: 'C' }];
    for (const plain of [{ cpu: 1 }, { sidecars: [{ name: 'proxy', env }] }]) {
      expect(hideSpecValues(plain)).toEqual(plain);
    }
  });

  it('are hidden in arguments too, where the name says that the value is a secret', () => {
    const sidecars = [
      {
        name: 'proxy',
        command: ['run', '--token', 'canary'],
        args: ['--port=80', '--api-key=canary', 'http://u:canary@b'],
      },
    ];
    expect(hideSpecValues({ sidecars }).sidecars).toEqual([
      { name: 'proxy', command: ['run', '--token', '(hidden)'], args: ['--port=80', '--api-key=(hidden)', 'http://b'] },
    ]);
    expect(emptySpecValues({ sidecars }).sidecars).toEqual([
      { name: 'proxy', command: ['run', '--token', ''], args: ['--port=80', '--api-key=', 'http://b'] },
    ]);
    expect(JSON.stringify(hideValues({ sidecars }))).not.toContain('canary');
    expect([hasSpecValues({ sidecars }), hasSpecValues({ sidecars: [{ name: 'a', args: ['--port=80'] }] })]).toEqual([
      true,
      false,
    ]);
  });

  it('are left empty in a spec to start from', () => {
    const emptied = emptySpecValues(spec);
    expect(emptied.sidecars).toEqual([{ name: 'proxy', env: [{ name: 'KEY', value: '' }, reference] }]);
    expect(JSON.stringify(emptied)).not.toContain('canary');
    expect([hasSpecValues(spec), hasSpecValues(emptied)]).toEqual([true, false]);
  });
});
