import { expect, it } from 'vitest';
import { coresWords, memoryWords } from '../../../src/ui/resourceForm/webview/specWords.ts';

it.each([
  [coresWords(1), '1 core'],
  [coresWords(1.5), '1.5 cores'],
  [coresWords(0.1 + 0.2), '0.3 cores'],
  [coresWords(0.0004), '0 cores'],
  [memoryWords(8320), '8320 MB'],
  [memoryWords(1_048_576.5), '1048576.5 MB'],
])('says %s, the number as a field takes it', (words, expected) => {
  expect(words).toBe(expected);
});
