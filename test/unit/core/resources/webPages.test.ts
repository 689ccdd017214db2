import { expect, it } from 'vitest';
import { applicationUrl } from '../../../../src/core/resources/webPages.ts';

const at = (url: string | undefined) => applicationUrl({ id: 'd', name: 'agent', source_config: { custom_url: url } });

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
  'agent.example',
  '',
  undefined,
])('refuses to open %j', (url) => {
  expect(at(url)).toBeUndefined();
});
