/** Begins a piece of work when the one before has ended, whether that failed or not. */
export type InTurn = <T>(work: () => PromiseLike<T>) => Promise<T>;

/** Makes a queue of work. */
export function inTurn(): InTurn {
  let last: PromiseLike<unknown> = Promise.resolve();
  return async (work) => {
    const done = last.then(work);
    last = done.then(undefined, () => undefined);
    return done;
  };
}
