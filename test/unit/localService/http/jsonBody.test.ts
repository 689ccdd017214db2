import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_MEMBERS, MAX_VALUES } from '../../../../src/api/schema/limits.ts';
import { readJsonBody } from '../../../../src/localService/http/jsonBody.ts';
import { HttpProblem } from '../../../../src/localService/http/route.ts';

async function read(text: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return readJsonBody(new Request('http://127.0.0.1/', { method: 'POST', headers, body: text }));
}

it('reads any JSON that can be stored', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      const text = JSON.stringify(value);
      // Halves of Unicode characters, NUL characters and the key __proto__ are refused by design.
      fc.pre(!/\\u0000|\\ud[89a-f]|"__proto__"/i.test(text) && !hasLargeInteger(value));
      expect(await read(text)).toEqual(JSON.parse(text));
    }),
  );
});

it('reads or rejects any text, and never repeats it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 50 }), async (text) => {
      const marked = `${text}canary`;
      const problem: unknown = await read(marked).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(HttpProblem);
      expect(JSON.stringify(problem)).not.toContain('canary');
    }),
  );
});

it('counts depth only outside of texts', async () => {
  const deepest = `${'['.repeat(62)}${']'.repeat(62)}`;
  await expect(read(deepest)).resolves.toBeInstanceOf(Array);
  await expect(read(`[${deepest}]`)).rejects.toMatchObject({ status: 400 });
  await expect(read(JSON.stringify('['.repeat(1000)))).resolves.toHaveLength(1000);
  await expect(read(JSON.stringify(String.raw`\"[[[`.repeat(100)))).resolves.toHaveLength(500);
});

it('rejects what a page of a list could not have', async () => {
  const list = (values: number): string => JSON.stringify(Array.from({ length: values - 1 }, () => 0));
  await expect(read(list(MAX_VALUES - 100))).resolves.toBeInstanceOf(Array);
  await expect(read(list(MAX_VALUES - 99))).rejects.toMatchObject({ status: 400 });
  const members = Array.from({ length: MAX_MEMBERS + 1 }, (_, index) => [`a${index}`, 0]);
  await expect(read(JSON.stringify(Object.fromEntries(members)))).rejects.toMatchObject({ status: 400 });
});

function hasLargeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasLargeInteger);
}
