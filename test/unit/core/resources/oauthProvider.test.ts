import { describe, expect, it } from 'vitest';
import { oauthProviderPatchWire } from '../../../../src/api/resources/oauthProviders.ts';
import {
  describeProviderChange,
  describeProviderRefusal,
  describeProviderResult,
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
      'left unchanged',
      '••••••••',
      'left unchanged',
      'left unchanged',
      'no',
      'will be cleared',
    ]);
    expect(describeProviderChange({ client_secret: null }, 'client_secret')).toBe('will be cleared');
    expect(describeProviderChange({ uses_pkce: true }, 'uses_pkce')).toBe('yes');
  });
});

describe('the answer to a change', () => {
  const answer = { id: 'p', name: '', client_id: 'kept', auth_url: 'https://a.example', uses_pkce: false };

  it('tells a cleared field from one that was left unchanged, and from one that the service kept', () => {
    const patch = {
      name: null,
      client_id: null,
      client_secret: 'canary',
      auth_url: 'https://a.example',
      token_url: 'https://b.example',
      code_challenge_method: null,
    };
    expect(providerFields.map((field) => describeProviderResult(patch, answer, field))).toEqual([
      'cleared',
      'not cleared: the service kept a value',
      "sent; the answer doesn't contain it",
      'changed',
      'the service answered with another value',
      'left unchanged',
      'cleared',
    ]);
    expect(describeProviderResult({ client_secret: null }, answer, 'client_secret')).toMatch(/^sent to be cleared/);
    expect(describeProviderResult({ uses_pkce: null }, answer, 'uses_pkce')).toBe('cleared');
    expect(describeProviderResult({ uses_pkce: false }, answer, 'uses_pkce')).toBe('changed');
  });

  it('names rejected fields as the form does', () => {
    const fields = [
      { path: 'auth_url', message: 'must be a URL.' },
      { path: 'other', message: 'is odd' },
    ];
    expect(describeProviderRefusal('No.', fields)).toBe('Authorization URL: must be a URL; other: is odd');
    expect(describeProviderRefusal('The provider is locked.')).toBe('The provider is locked.');
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
    ['token_url', 'http://localhost/token'],
    ['auth_url', 'http://[::1]/authorize'],
  ] as const)('lets %s be "%s"', (field, text) => {
    expect(providerValueProblem(field, text)).toBeUndefined();
  });

  it.each([
    ['name', '  ', /Enter a value/],
    ['auth_url', 'accounts.example/authorize', /complete URL/],
    ['token_url', 'javascript:alert(1)', /complete URL/],
    ['auth_url', 'file:///etc/passwd', /complete URL/],
    ['auth_url', 'http://accounts.example/authorize', /^Authorization URL needs https/],
    ['token_url', 'http://127.0.0.1.example/token', /^Token URL needs https/],
  ] as const)('refuses %s "%s"', (field, text, problem) => {
    expect(providerValueProblem(field, text)).toMatch(problem);
  });
});
