import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/state/clock.ts';
import { Emitter, type Disposable } from '../../src/state/emitter.ts';

interface Planned {
  readonly at: number;
  readonly happen: () => void;
}

/** The true time of a simulation, in milliseconds since its start, and all that is going to happen. */
export class SimulatedTime {
  readonly #planned = new Set<Planned>();
  #now = 0;

  get now(): number {
    return this.#now;
  }

  plan(delay: number, happen: () => void): Disposable {
    // Whole milliseconds: a fraction that is lost in rounding would let time stand still.
    const planned = { at: this.#now + Math.max(0, Math.ceil(delay)), happen };
    this.#planned.add(planned);
    return { dispose: () => void this.#planned.delete(planned) };
  }

  /** Lets everything up to a time happen, each event with what follows from it before the next one. */
  async run(goesOn: () => boolean, until: number, afterEach: () => void): Promise<void> {
    // What was done just before has its consequences now, not after the next event.
    await setImmediate();
    while (goesOn()) {
      let next: Planned | undefined;
      for (const planned of this.#planned) {
        if (planned.at <= until && (next === undefined || planned.at < next.at)) next = planned;
      }
      if (next === undefined) break;
      this.#planned.delete(next);
      this.#now = next.at;
      next.happen();
      // All that can follow at once are promises, because every timer is planned here.
      await setImmediate();
      afterEach();
    }
    this.#now = until;
  }
}

/** A computer, which sleeps and whose wall time can be set. */
export class Machine {
  readonly time: SimulatedTime;
  readonly #wake = new Emitter<number>();
  readonly #sleep = new Emitter<void>();
  readonly onSleep = this.#sleep.event;
  /** Fires with the length of the sleep. */
  readonly onWake = this.#wake.event;
  /** How far its wall time is ahead. */
  wallShift = 0;
  wasShifted = false;
  /** Whether the delay of a timer goes on in sleep; that differs between operating systems. */
  readonly timersRunInSleep: boolean;
  /** When it woke up last. */
  awakeSince = 0;
  #asleepSince: number | undefined;

  constructor(time: SimulatedTime, timersRunInSleep: boolean) {
    this.time = time;
    this.timersRunInSleep = timersRunInSleep;
  }

  get isAsleep(): boolean {
    return this.#asleepSince !== undefined;
  }

  setClock(shift: number): void {
    this.wallShift += shift;
    this.wasShifted = true;
  }

  /** Plans what only a machine that is awake can do. */
  planAwake(delay: number, happen: () => void): void {
    this.time.plan(delay, () => {
      if (!this.isAsleep) return happen();
      const waking = this.onWake(() => {
        waking.dispose();
        happen();
      });
    });
  }

  sleep(): void {
    if (this.isAsleep) return;
    this.#asleepSince = this.time.now;
    this.#sleep.fire();
  }

  wake(): void {
    if (this.#asleepSince === undefined) return;
    const slept = this.time.now - this.#asleepSince;
    this.#asleepSince = undefined;
    this.awakeSince = this.time.now;
    this.#wake.fire(slept);
  }
}

/** The simulation began on 21 November 2026. */
export const beginning = Date.UTC(2026, 10, 21, 8);

interface Timer {
  readonly callback: () => void;
  readonly setAt: number;
  dueAt: number;
  planned: Disposable | undefined;
}

/** The clock of one window. Its timers wait while the machine sleeps. */
export class SimulatedClock implements Clock {
  readonly #machine: Machine;
  readonly #offset: number;
  readonly #timers = new Set<Timer>();
  readonly #subscriptions: readonly Disposable[];

  constructor(machine: Machine) {
    this.#machine = machine;
    // Monotonic time means nothing outside its window.
    this.#offset = 5_000 - machine.time.now;
    this.#subscriptions = [
      machine.onSleep(() => {
        for (const timer of this.#timers) timer.planned?.dispose();
      }),
      machine.onWake((slept) => {
        for (const timer of this.#timers) {
          const asleepSince = machine.awakeSince - slept;
          if (!machine.timersRunInSleep) timer.dueAt += machine.awakeSince - Math.max(asleepSince, timer.setAt);
          this.#plan(timer);
        }
      }),
    ];
  }

  now(): number {
    return beginning + Math.floor(this.#machine.time.now) + this.#machine.wallShift;
  }

  monotonic(): number {
    return this.#machine.time.now + this.#offset;
  }

  /** The true time of a moment in monotonic time. */
  toTrue(monotonic: number): number {
    return monotonic - this.#offset;
  }

  toMonotonic(trueTime: number): number {
    return trueTime + this.#offset;
  }

  /** The true time of the next timer. */
  get nextDueAt(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map(({ dueAt }) => dueAt));
  }

  get pending(): number {
    return this.#timers.size;
  }

  schedule(callback: () => void, delay: number): Disposable {
    const { now } = this.#machine.time;
    const timer: Timer = { callback, setAt: now, dueAt: now + delay, planned: undefined };
    this.#timers.add(timer);
    if (!this.#machine.isAsleep) this.#plan(timer);
    return {
      dispose: () => {
        timer.planned?.dispose();
        this.#timers.delete(timer);
      },
    };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #plan(timer: Timer): void {
    timer.planned = this.#machine.time.plan(timer.dueAt - this.#machine.time.now, () => {
      this.#timers.delete(timer);
      timer.callback();
    });
  }
}
