import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentReader } from '../../../../src/api/resources/deployments.ts';
import { compareWithWish } from '../../../../src/core/draft/deploymentChange.ts';
import type { DraftSecret } from '../../../../src/core/draft/draft.ts';
import * as samples from '../../api/samples.ts';

const canary = 'canary-51fe-secret';

function compare(existing: readonly string[] | undefined, secrets: readonly DraftSecret[] | undefined) {
  const record = deploymentReader.parse({
    ...samples.deployment,
    secrets: existing?.map((name) => ({ name, value: canary })),
  });
  return compareWithWish(record, { secrets });
}

const known = (name: string): DraftSecret => ({ name, value: `${canary} ${name}` });
const unknown = (name: string): DraftSecret => ({ name, value: undefined });

describe('a change of secrets', () => {
  it('leaves the environment alone unless one is wished for', () => {
    expect(compare(['A', 'B'], undefined)).toMatchObject({ patch: undefined, differences: [], findings: [] });
  });

  it('names what is sent again, what comes and what goes', () => {
    const change = compare(['A', 'B', 'C'], [known('A'), known('D')]);
    expect(change.patch).toEqual({ secrets: [known('A'), known('D')] });
    expect(change.differences).toEqual([{ field: 'secrets', label: 'Secrets', from: 'A, B, C', to: 'A, D' }]);
    expect(change.findings).toEqual([
      { severity: 'warning', field: 'secrets', message: 'These secrets will be gone: B, C.' },
    ]);
    expect(JSON.stringify([change.differences, change.findings])).not.toContain(canary);
  });

  it('sends the same names again, because their values may be new', () => {
    const change = compare(['A'], [known('A')]);
    expect(change.patch).toEqual({ secrets: [known('A')] });
    expect(change.differences).toMatchObject([{ from: 'A', to: 'A, with the values from here' }]);
    // The service doesn't give the values that it has.
    expect(change.differences).toMatchObject([{ isUnsure: true }]);
    expect(compare(['A', 'B'], [known('B'), known('A')]).differences).toMatchObject([{ isUnsure: true }]);
    expect(compare(['A'], [known('B')]).differences[0]).not.toHaveProperty('isUnsure');
  });

  it('sends nothing while a value is missing', () => {
    const change = compare(['A', 'B'], [known('A'), unknown('B'), unknown('C')]);
    expect(change.patch).toBeUndefined();
  });

  it('never takes an empty list for the removal of all', () => {
    expect(compare(['A', 'B'], [])).toMatchObject({
      patch: undefined,
      differences: [],
      findings: [
        { severity: 'error', message: "The service can't remove all secrets. Keep at least one of these: A, B." },
      ],
    });
    expect(compare([], [])).toMatchObject({ patch: undefined, findings: [] });
  });

  it('warns of secrets that the service does not list', () => {
    expect(compare(undefined, [known('A')])).toMatchObject({
      patch: { secrets: [known('A')] },
      differences: [{ from: 'not listed', to: 'A' }],
      findings: [{ severity: 'warning', message: expect.stringMatching(/doesn't list the secrets/) as string }],
    });
  });

  it('sends what is wished for or nothing, and names each secret that is lost', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Z]{1,2}$/), { maxLength: 5 });
    fc.assert(
      fc.property(names, names, names, (existing, wished, withoutValue) => {
        const secrets = wished.map((name) => (withoutValue.includes(name) ? unknown(name) : known(name)));
        const { patch, findings } = compare(existing, secrets);
        const isComplete = secrets.length > 0 && secrets.every(({ value }) => value !== undefined);
        expect(patch).toEqual(isComplete ? { secrets } : undefined);
        const words = findings.map(({ message }) => message).join(' ');
        for (const name of existing) if (!wished.includes(name)) expect(words).toMatch(new RegExp(`\\b${name}\\b`));
      }),
    );
  });
});
