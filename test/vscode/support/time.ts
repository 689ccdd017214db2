const { performance } = globalThis;
const now = performance.now.bind(performance);
let passed = 0;

/** Sets the monotonic clock of this process ahead, so what was just answered is this old. */
export function passTime(milliseconds: number): void {
  passed += milliseconds;
  performance.now = () => now() + passed;
}
