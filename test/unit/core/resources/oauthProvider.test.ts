import { describe, expect, it } from 'vitest';
import { oauthProviderPatchWire } from '../../../../src/api/resources/oauthProviders.ts';
import {
  describeProviderChange,
  providerFieldLabel,
  providerFields,
  providerValueProblem,
  withProviderChange,
} from '../../../../src/core/resources/oauthProvider.ts';

describe('the fields of an OAuth provider', () => {
  it('are the editable ones of the interface, each with its own label', () => {
    expect(providerFields).toEqual(Object.keys(oauthProviderPatchWire.shape));
    expect(new Set(providerFields.map(providerFieldLabel)).size).toBe(providerFields.length);
  });

  it('are described by their new values, but never the secret', () => {
    const patch = { name: 'GitHub', client_secret: 'canary', uses_pkce: false, code_challenge_method: null };
    expect(providerFields.map((field) => describeProviderChange(patch, field))).toEqual([
      'GitHub',
      'unchanged',
      '••••••••',
      'unchanged',
      'unchanged',
      'no',
      'will be cleared',
    ]);
    expect(describeProviderChange({ client_secret: null }, 'client_secret')).toBe('will be cleared');
    expect(describeProviderChange({ uses_pkce: true }, 'uses_pkce')).toBe('yes');
  });
});

describe('withProviderChange', () => {
  it('sets a field, clears it, or leaves it unchanged', () => {
    const named = withProviderChange({}, 'name', 'GitHub');
    expect(named).toEqual({ name: 'GitHub' });
    const cleared = withProviderChange(named, 'name', null);
    expect(cleared).toEqual({ name: null });
    expect(Object.keys(withProviderChange(cleared, 'name', undefined))).toEqual([]);
  });
});

describe('providerValueProblem', () => {
  it.each([
    ['name', 'GitHub'],
    ['client_secret', ' leading blank is part of a secret'],
    ['auth_url', 'https://accounts.example/authorize?x=1'],
    ['token_url', 'http://127.0.0.1:8080/token'],
  ] as const)('lets %s be "%s"', (field, text) => {
    expect(providerValueProblem(field, text)).toBeUndefined();
  });

  it.each([
    ['name', '  ', /Enter a value/],
    ['auth_url', 'accounts.example/authorize', /complete URL/],
    ['token_url', 'javascript:alert(1)', /complete URL/],
    ['auth_url', 'file:///etc/passwd', /complete URL/],
  ] as const)('refuses %s "%s"', (field, text, problem) => {
    expect(providerValueProblem(field, text)).toMatch(problem);
  });
});
