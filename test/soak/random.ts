/** Random choices from a seed: the same seed always makes the same choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 0x9e3779b1) >>> 0;
    // The first numbers of small seeds are alike.
    for (let count = 0; count < 4; count += 1) this.fraction();
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** A whole number of milliseconds between two. */
  between(low: number, high: number): number {
    return Math.floor(low + this.fraction() * (high - low));
  }

  /** Like `between`, but short times are as likely as long ones: for what lasts seconds as well as hours. */
  spread(low: number, high: number): number {
    return Math.floor(low * (high / low) ** this.fraction());
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.fraction() * choices.length)] ?? choices[0];
  }

  /** A choice by weight. */
  weigh<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries<number>(weights);
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const key in weights) {
      left -= weights[key];
      if (left < 0) return key;
    }
    throw new Error('There is nothing to choose from.');
  }
}
