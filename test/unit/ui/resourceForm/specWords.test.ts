import { expect, it } from 'vitest';
import { coresWords, memoryWords, reservedWords } from '../../../../src/ui/resourceForm/webview/specWords.ts';

it.each([
  [coresWords(1), '1 core'],
  [coresWords(1.5), '1.5 cores'],
  [coresWords(0.1 + 0.2), '0.3 cores'],
  [coresWords(0.0004), '0 cores'],
  [memoryWords(8320), '8320 MB'],
  [memoryWords(1_048_576.5), '1048576.5 MB'],
  [reservedWords({ cpu: 3, memoryMb: 8192 }), '3 cores, 8192 MB'],
  [reservedWords({ cpu: 0, memoryMb: undefined }), '0 cores'],
  [reservedWords({ cpu: undefined, memoryMb: undefined }), 'service default'],
])('says %s, the number as a field takes it', (words, expected) => {
  expect(words).toBe(expected);
});
