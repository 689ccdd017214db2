import { beforeEach, describe, expect, it } from 'vitest';
import { TypedSecrets } from '../../../../src/state/deploying/typedSecrets.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const minutes = 60_000;

describe('what was typed for a page', () => {
  let clock: FakeClock;
  let typed: TypedSecrets;
  let forgotten: number;

  beforeEach(() => {
    clock = new FakeClock();
    typed = new TypedSecrets(clock);
    forgotten = 0;
    typed.onDidForget(() => (forgotten += 1));
    typed.set('TOKEN', 'value');
  });

  it('is forgotten after an hour, which is said', () => {
    clock.advance(40 * minutes);
    typed.set('KEY', 'later');
    clock.advance(19 * minutes);
    expect([typed.get('TOKEN'), typed.get('KEY'), forgotten]).toEqual(['value', 'later', 0]);
    clock.advance(minutes);
    expect([typed.get('TOKEN'), typed.get('KEY'), forgotten]).toEqual([undefined, 'later', 1]);
    expect([...typed.values]).toEqual([['KEY', 'later']]);
    clock.advance(40 * minutes);
    expect([typed.get('KEY'), forgotten]).toEqual([undefined, 2]);
  });

  it('is kept an hour again if it is typed again', () => {
    clock.advance(40 * minutes);
    typed.set('TOKEN', 'other');
    clock.advance(40 * minutes);
    expect([typed.get('TOKEN'), forgotten]).toEqual(['other', 0]);
  });

  it('is kept no longer under another name or for another page', () => {
    const page = new TypedSecrets(clock);
    clock.advance(40 * minutes);
    typed.copy('TOKEN', 'RENAMED');
    typed.copy('TOKEN', 'TOKEN', page);
    typed.copy('MISSING', 'MISSING', page);
    expect([typed.get('RENAMED'), page.get('TOKEN'), [...page.values.keys()]]).toEqual(['value', 'value', ['TOKEN']]);
    clock.advance(20 * minutes);
    expect([[...typed.values.keys()], [...page.values.keys()]]).toEqual([[], []]);
  });

  it('is gone without a timer once it is sent or the window closes', () => {
    typed.set('KEY', 'other');
    typed.delete('TOKEN');
    expect([...typed.values.keys()]).toEqual(['KEY']);
    typed.dispose();
    expect([[...typed.values.keys()], clock.pending, forgotten]).toEqual([[], [], 0]);
  });
});
