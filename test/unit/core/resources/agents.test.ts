import { describe, expect, it } from 'vitest';
import {
  describeExpiry,
  nextExpiry,
  summarizeAgent,
  summarizeAgentConnection,
} from '../../../../src/core/resources/agents.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

describe('describeExpiry', () => {
  it.each([
    ['2026-03-07T12:00:00Z', 'expired 3 days ago', true],
    ['2026-03-10T11:00:00Z', 'expired 1 hour ago', true],
    ['2026-03-10T12:00:00Z', 'expired now', true],
    ['2026-03-10T12:00:30Z', 'expires in 30 seconds', false],
    ['2026-04-20T12:00:00+02:00', 'expires in 1 month', false],
    ['never', 'expires: never', false],
  ])('describes %s as "%s"', (timestamp, text, isExpired) => {
    expect(describeExpiry(timestamp, now)).toEqual({ text, isExpired });
  });

  it.each([undefined, ''])('gives nothing if the service gives no expiry: %j', (timestamp) => {
    expect(describeExpiry(timestamp, now)).toBeUndefined();
  });
});

describe('summarizeAgentConnection', () => {
  it('gives the expiry, provider, scopes and author', () => {
    const connection = {
      id: '1',
      provider_id: 'github',
      provider_account_label: 'octo@acme.example',
      scopes: ['repo', 'gist', 'user', 'workflow', 'read:org'],
      expires_at: '2026-03-07T12:00:00Z',
      created_by: 'alice',
    };
    expect(summarizeAgentConnection(connection, now)).toEqual({
      label: 'octo@acme.example',
      description: 'expired 3 days ago · github · repo, gist, user and 2 more · by alice',
      isExpired: true,
    });
  });

  it('is named after its provider if the account has no name, otherwise by its id', () => {
    expect(summarizeAgentConnection({ id: '1', provider_id: 'slack' }, now)).toEqual({
      label: 'slack',
      description: '',
      isExpired: false,
    });
    expect(summarizeAgentConnection({ id: '1', scopes: [] }, now).label).toBe('1');
  });
});

describe('summarizeAgent', () => {
  const expired = { id: '1', expires_at: '2026-03-07T12:00:00Z' };
  const valid = { id: '2', expires_at: '2027-03-07T12:00:00Z' };

  it.each([
    [[], 'no connections', false],
    [[valid], '1 connection', false],
    [[valid, { id: '3' }], '2 connections', false],
    [[valid, expired], '2 connections, 1 expired', true],
    [[expired], '1 connection, 1 expired', true],
  ])('counts %j as "%s"', (connections, description, isExpired) => {
    expect(summarizeAgent(connections, now)).toEqual({ description, isExpired });
  });
});

describe('nextExpiry', () => {
  it('is the first time after now, in any order', () => {
    const times = ['2026-03-12T00:00:00Z', '2026-03-11T00:00:00Z', '2026-03-01T00:00:00Z', 'never', undefined];
    const connections = times.map((expires_at, index) => ({ id: String(index), expires_at }));
    expect(nextExpiry(connections, now)).toBe(Date.parse('2026-03-11T00:00:00Z'));
  });

  it('is found among more connections than a call can have arguments', () => {
    const many = Array.from({ length: 300_000 }, () => ({ id: '1', expires_at: '2026-03-11T00:00:00Z' }));
    expect(nextExpiry(many, now)).toBe(Date.parse('2026-03-11T00:00:00Z'));
  });

  it('is missing if everything has expired or never will', () => {
    expect(nextExpiry([{ id: '1', expires_at: '2026-03-10T12:00:00Z' }, { id: '2' }], now)).toBeUndefined();
  });
});
