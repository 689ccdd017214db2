import { expect as expectNow } from 'expect';
import type { Matchers } from 'expect';
import type { Changes } from './changes.ts';

/** Matchers that wait until they hold. */
type Eventually<M> = {
  [Name in keyof M]: M[Name] extends (...parameters: infer P) => unknown ? (...parameters: P) => Promise<void> : never;
};

/** The matchers of the other tiers; `poll` repeats a look until its matcher holds. */
export type Expect = typeof expectNow & {
  poll<T>(look: () => T | Promise<T>): Eventually<Matchers<void, T>> & { readonly not: Eventually<Matchers<void, T>> };
};

export function expectWith({ until }: Changes): Expect {
  const matchersOf = (look: () => unknown, isNot: boolean): never =>
    new Proxy({} as never, {
      get: (_target, name: string) =>
        name === 'not'
          ? matchersOf(look, true)
          : (...parameters: unknown[]) =>
              until(async () => {
                const matchers = expectNow(await look());
                const chosen: object = isNot ? matchers.not : matchers;
                Reflect.apply(Reflect.get(chosen, name), chosen, parameters);
              }),
    });
  return Object.assign(expectNow, { poll: (look: () => unknown) => matchersOf(look, false) }) as Expect;
}
