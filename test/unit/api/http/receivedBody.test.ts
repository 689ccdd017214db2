import { expect, it } from 'vitest';
import { ReceivedBody } from '../../../../src/api/http/transport.ts';
import { MAX_BODY_BYTES } from '../../../../src/api/schema/limits.ts';

it('joins chunks without keeping them', () => {
  const body = new ReceivedBody();
  const chunk = new Uint8Array(1);
  for (let byte = 0; byte < 200; byte += 1) {
    chunk[0] = byte;
    body.add(chunk);
  }
  expect([...body.bytes]).toEqual(Array.from({ length: 200 }, (_, byte) => byte));
});

it('takes as much as the limit and no more', () => {
  const body = new ReceivedBody();
  expect(body.add(new Uint8Array(MAX_BODY_BYTES))).toBe(true);
  expect(body.add(new Uint8Array(1))).toBe(false);
  expect(body.bytes).toHaveLength(MAX_BODY_BYTES);
});

it.each([
  ['as long as announced', 3],
  ['shorter than announced', 1000],
  ['longer than announced', 1],
  ['of an announced length that no response may have', Infinity],
  ['of an announced length that is no number', Number.NaN],
])('takes a response %s', (_what, announced) => {
  const body = new ReceivedBody(announced);
  body.add(Uint8Array.of(1, 2));
  body.add(Uint8Array.of(3));
  expect([...body.bytes]).toEqual([1, 2, 3]);
});
