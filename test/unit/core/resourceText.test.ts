import { expect, it } from 'vitest';
import { resourceText } from '../../../src/core/resourceText.ts';

it('is YAML with whole lines and without values', () => {
  const long = `registry.example/${'a'.repeat(120)} b`;
  expect(resourceText({ image: long, secrets: [{ name: 'TOKEN', value: 'canary' }] })).toBe(
    `image: ${long}\nsecrets:\n  - name: TOKEN\n    value: (hidden)\n`,
  );
});
