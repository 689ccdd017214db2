import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../src/ui/window/inTurn.ts';

describe('work in turn', () => {
  it('begins when the work before has ended, also with an error, and gives each its own result', async () => {
    const done = inTurn();
    const events: string[] = [];
    let fail = (): void => undefined;
    const first = done(async () => {
      events.push('first begins');
      await new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('first'))));
    });
    const second = done(async () => events.push('second'));
    await Promise.resolve();
    expect(events).toEqual(['first begins']);
    fail();
    await expect(first).rejects.toThrow('first');
    expect(await second).toBe(2);
    expect(await done(() => Promise.resolve('third'))).toBe('third');
  });
});
