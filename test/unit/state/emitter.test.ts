import { expect, it } from 'vitest';
import { Emitter } from '../../../src/state/emitter.ts';

function listening() {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  return { emitter, heard, hear: (name: string) => (value: number) => void heard.push(`${name}${value}`) };
}

it('tells every listener in the order of registration', () => {
  const { emitter, heard, hear } = listening();
  emitter.event(hear('a'));
  emitter.event(hear('b'));
  emitter.fire(1);
  expect(heard).toEqual(['a1', 'b1']);
});

it('releases one registration of a function that was registered twice', () => {
  const { emitter, heard, hear } = listening();
  const listener = hear('a');
  const first = emitter.event(listener);
  emitter.event(listener);
  first.dispose();
  first.dispose();
  emitter.fire(1);
  expect(heard).toEqual(['a1']);
});

it('tells listeners that come or go during an event from the next event on', () => {
  const { emitter, heard, hear } = listening();
  const registrations = [
    emitter.event(() => {
      registrations[1]?.dispose();
      emitter.event(hear('late'));
    }),
    emitter.event(hear('b')),
  ];
  emitter.fire(1);
  expect(heard).toEqual(['b1']);
  registrations[0]?.dispose();
  emitter.fire(2);
  expect(heard).toEqual(['b1', 'late2']);
});

it('is silent after it was disposed', () => {
  const { emitter, heard, hear } = listening();
  emitter.event(hear('a'));
  emitter.dispose();
  emitter.fire(1);
  expect(heard).toEqual([]);
});
