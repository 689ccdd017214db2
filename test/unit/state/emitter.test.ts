import { expect, it } from 'vitest';
import { Emitter } from '../../../src/state/emitter.ts';

function listening() {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  return { emitter, heard, hear: (name: string) => (value: number) => void heard.push(`${name}${value}`) };
}

it('calls every listener in the order of registration', () => {
  const { emitter, heard, hear } = listening();
  emitter.event(hear('a'));
  emitter.event(hear('b'));
  emitter.fire(1);
  expect(heard).toEqual(['a1', 'b1']);
});

it('releases one of two registrations of the same function', () => {
  const { emitter, heard, hear } = listening();
  const listener = hear('a');
  const first = emitter.event(listener);
  emitter.event(listener);
  first.dispose();
  first.dispose();
  emitter.fire(1);
  expect(heard).toEqual(['a1']);
});

it('applies additions and removals during an event from the next event on', () => {
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

it('calls no listener after it was disposed', () => {
  const { emitter, heard, hear } = listening();
  emitter.event(hear('a'));
  emitter.dispose();
  emitter.fire(1);
  expect(heard).toEqual([]);
});
