import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { requestCurl, requestJson, requestText } from '../../../../src/core/draft/requestText.ts';

const request = {
  method: 'POST',
  url: "https://service.example/it's/v2/deployments",
  headers: { accept: 'application/json', 'X-Api-Key': 'Bearer "x" $API_KEY', 'X-Tenant-Id': '$HOME `id`' },
  body: JSON.stringify({ name: "it's", secrets: [{ name: 'TOKEN', value: '•••' }] }),
};

it('is shown as comments and a body', () => {
  expect(requestText(request)).toBe(`// POST https://service.example/it's/v2/deployments
// accept: application/json
// X-Api-Key: Bearer "x" $API_KEY
// X-Tenant-Id: $HOME \`id\`

${requestJson(request)}`);
  expect(JSON.parse(requestJson(request))).toEqual(JSON.parse(request.body));
});

it('is a command in which the shell replaces nothing but the key', () => {
  const show = `curl() { printf '%s\\n' "$@"; }\nAPI_KEY=the-key\n`;
  const said = execFileSync('sh', ['-c', show + requestCurl(request)], { encoding: 'utf8' });
  expect(said.split('\n')).toEqual([
    '--request',
    'POST',
    request.url,
    '--header',
    'accept: application/json',
    '--header',
    'X-Api-Key: Bearer "x" the-key',
    '--header',
    'X-Tenant-Id: $HOME `id`',
    '--data',
    request.body,
    '',
  ]);
});
