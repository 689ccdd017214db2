import { describe, expect, it } from 'vitest';
import { missingVariables, readVariables } from '../../../../src/core/secrets/importedSecrets.ts';

const rules = { reservedNames: ['PATH'], references: ['REFERENCE'] };

describe('an imported text', () => {
  it('says why a name that the platform sets, or a secret reference has, is left out', () => {
    expect(readVariables('A=1\nPATH=/bin\nREFERENCE=x', '.env', rules)).toEqual({
      variables: [{ name: 'A', value: '1', line: 1 }],
      findings: [
        ".env, line 2: PATH is set by the platform and can't be a secret. Choose another name.",
        '.env, line 3: A secret reference with this name already exists.',
      ],
    });
  });

  it('gives its variables, and leaves out empty values with a word about each', () => {
    expect(readVariables('A=1\nB=\nno assignment\nC=""\nD=4', '.env', rules)).toEqual({
      variables: [
        { name: 'A', value: '1', line: 1 },
        { name: 'D', value: '4', line: 5 },
      ],
      findings: [
        ".env, line 2: B has no value, so it can't be imported.",
        ".env, line 3: This line isn't in the form NAME=value and was skipped.",
        ".env, line 4: C has no value, so it can't be imported.",
      ],
    });
  });

  it('names five findings and counts the others', () => {
    const { findings } = readVariables('x\n'.repeat(8), 'Clipboard', rules);
    expect(findings).toHaveLength(6);
    expect(findings.at(-1)).toBe('Clipboard: 3 more problems');
  });

  it.each([
    'TUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3=',
    'TUlJRXZRSUJBREFOQmdrcWhraUc5dzBCQVFFRkFBU0NCS2N3==',
    'c2VjcmV0MTIzNDU=',
    'QUJDREVGRw==',
    'QUJDREVGRwo=',
    'QQ==',
  ])('shows no name that is a value with padding: %s', (line) => {
    expect(readVariables(line, 'Clipboard', rules)).toEqual({
      variables: [],
      findings: ["Clipboard, line 1: This line isn't in the form NAME=value and was skipped."],
    });
  });
});

describe('imported variables', () => {
  it('are missing until the draft has their values', () => {
    const { variables } = readVariables('A=1\nB=2\nC=3\nPATH=/bin\nEMPTY=', '.env', rules);
    const secrets = [
      { name: 'A', value: 'own' },
      { name: 'B', value: undefined },
    ];
    expect(missingVariables(variables, secrets).map(({ name }) => name)).toEqual(['B', 'C']);
  });
});
