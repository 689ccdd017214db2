import { describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import { correctTracingAddress } from '../../../../src/api/tracingAddress.ts';
import { parseBaseUrl, servicePageUrl } from '../../../../src/api/http/baseUrl.ts';

describe('a base URL', () => {
  it.each([
    { text: 'not a url', says: /isn't a web address/ },
    { text: 'ftp://host', says: /isn't a web address/ },
    { text: '', says: /isn't a web address/ },
    { text: 'https://me:hidden-word@host', says: /user name or password.*Set API Key/ },
    { text: 'https://hidden-word@host', says: /user name or password.*Set API Key/ },
    { text: 'https://:hidden-word@host', says: /user name or password.*Set API Key/ },
    { text: 'https://host/?a=b', says: /can't contain/ },
    { text: 'https://host/#a', says: /can't contain/ },
    { text: 'http://host', says: /without encryption/ },
    { text: 'http://127.0.0.1.example', says: /without encryption/ },
    { text: 'http://localhost.example', says: /without encryption/ },
  ])('is refused when it is "$text"', ({ text, says }) => {
    const create = () => createClient({ baseUrl: text, auth: async () => 'key' });
    expect(create).toThrow(ApiError);
    expect(create).toThrow(says);
    expect(create).not.toThrow(/hidden-word/);
  });

  it.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1', 'http://127.9.99.199', 'https://host'])(
    'can be %s without permission',
    (text) => {
      expect(parseBaseUrl(text).origin).toBe(text);
    },
  );

  it.each([
    ['\u00A0https://host \n', ''],
    ['https://host//', ''],
    ['https://host/x//', '/x'],
    ['https://host/v2', ''],
    ['https://host/x//v2//', '/x'],
    ['https://host/v2ray', '/v2ray'],
  ])('%j has the prefix %j', (text, prefix) => {
    expect(parseBaseUrl(text)).toEqual({ origin: 'https://host', prefix });
  });

  it('can be plain http to another machine if the connection allows it', () => {
    expect(parseBaseUrl(' http://host/x/ ', true)).toEqual({ origin: 'http://host', prefix: '/x' });
  });

  it('is refused with a code host that would change the path', () => {
    const create = () => createClient({ baseUrl: 'https://host', codeHost: '../x', auth: async () => 'key' });
    expect(create).toThrow(/code host/);
  });
});

describe('an address of the tracing service', () => {
  it.each([
    ['https://api.smith.langchain.com', 'https://api.host.langchain.com'],
    ['https://smith.langchain.com/o/1', 'https://api.host.langchain.com'],
    ['https://eu.api.smith.langchain.com', 'https://eu.api.host.langchain.com'],
    ['https://aws.smith.langchain.com', 'https://aws.api.host.langchain.com'],
  ])('is corrected from %s to %s', (pasted, meant) => {
    expect(correctTracingAddress(pasted)).toBe(meant);
  });

  it.each(['https://api.host.langchain.com', 'https://smith.example', 'https://smith.langchain.com.example', 'x'])(
    'leaves %s unchanged',
    (address) => {
      expect(correctTracingAddress(address)).toBeUndefined();
    },
  );
});

describe("the service's own page of a deployment", () => {
  const deployment = { id: 'd 1', tenant_id: 't' };

  it.each([
    ['https://api.host.langchain.com', 'https://smith.langchain.com/o/t/host/deployments/d%201'],
    ['https://eu.api.host.langchain.com/', 'https://eu.smith.langchain.com/o/t/host/deployments/d%201'],
    ['https://host.example/api-host', 'https://host.example/o/t/host/deployments/d%201'],
    ['https://host.example:8443/x/api-host/', 'https://host.example:8443/x/o/t/host/deployments/d%201'],
  ])('of %s is %s', (baseUrl, page) => {
    expect(servicePageUrl('langsmith', baseUrl, deployment)).toBe(page);
  });

  it('is unknown for the standard flavor and for a deployment without tenant', () => {
    expect(servicePageUrl('standard', 'https://host', deployment)).toBeUndefined();
    expect(servicePageUrl('langsmith', 'https://api.host.langchain.com', { id: 'd' })).toBeUndefined();
  });
});
