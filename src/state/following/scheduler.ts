import type { Clock } from '../clock.ts';
import { Emitter, type Disposable } from '../emitter.ts';

/** Whether the window has the focus, and whether the deployments view is visible. */
export interface Attention {
  readonly focused: boolean;
  readonly visible: boolean;
}

/** Requests that are made when they are due. */
interface ScheduledTask {
  /** In monotonic time; `Infinity` while nothing is to be requested. */
  dueAt(): number;
  /** Moves the due time before it returns, or removes the task. Otherwise it is run again at once. */
  run(): void;
}

/** Owns the one timer of all polling, and knows whether the user is looking. */
export class Scheduler {
  readonly #clock: Clock;
  readonly #tasks = new Set<ScheduledTask>();
  readonly #attentionChanged = new Emitter<Attention>();
  #attention: Attention = { focused: true, visible: false };
  #timer: Disposable | undefined;

  /** Fires with the attention before the change. */
  readonly onDidChangeAttention = this.#attentionChanged.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get attention(): Attention {
    return this.#attention;
  }

  setAttention(attention: Attention): void {
    const before = this.#attention;
    this.#attention = attention;
    this.#attentionChanged.fire(before);
    this.schedule();
  }

  add(task: ScheduledTask): Disposable {
    this.#tasks.add(task);
    this.schedule();
    return {
      dispose: () => {
        this.#tasks.delete(task);
        this.schedule();
      },
    };
  }

  /** Sets the timer to the next due time, after one of them has changed. */
  schedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const dueAt = Math.min(...[...this.#tasks].map((task) => task.dueAt()));
    if (dueAt === Infinity) return;
    const delay = Math.max(0, dueAt - this.#clock.monotonic());
    this.#timer = this.#clock.schedule(() => this.#run(), delay);
  }

  #run(): void {
    const now = this.#clock.monotonic();
    for (const task of this.#tasks) if (task.dueAt() <= now) task.run();
    this.schedule();
  }
}
