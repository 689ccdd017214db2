import { expect, it } from 'vitest';
import { applicationUrl } from '../../../../src/core/resources/webPages.ts';

const at = (url: string | undefined) => applicationUrl({ id: 'd', name: 'agent', source_config: { custom_url: url } });

it.each([
  ['agent.example', 'https://agent.example'],
  ['agent.example/app?x=1', 'https://agent.example/app?x=1'],
  ['my-agent.region.example:8443', 'https://my-agent.region.example:8443'],
])('opens an application at %s, which has no scheme', (address, url) => {
  expect(at(address)).toBe(url);
});

it('opens the address of the deployment itself if its configuration has none', () => {
  const deployment = { id: 'd', name: 'agent', url: 'agent.example' };
  expect(applicationUrl(deployment)).toBe('https://agent.example');
  expect(applicationUrl({ ...deployment, source_config: { custom_url: '' } })).toBe('https://agent.example');
  const custom = { custom_url: 'https://custom.example' };
  expect(applicationUrl({ ...deployment, source_config: custom })).toBe('https://custom.example');
});

it.each(['https://agent.example/app?x=1', 'http://localhost:8000', 'HTTPS://agent.example'])(
  'opens an application at %s',
  (url) => {
    expect(at(url)).toBe(url);
  },
);

it.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'file:///etc/passwd',
  'vscode://some.extension/do',
  'command:workbench.action.quit',
  'data:text/html,x',
  '//agent.example',
  'localhost',
  'agent.example@other',
  '.example',
  '',
  undefined,
])('refuses to open %j', (url) => {
  expect(at(url)).toBeUndefined();
});
