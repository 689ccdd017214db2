import { MAX_BODY_BYTES } from '../schema/limits.ts';

/** The bytes of a response so far. Copies them together: a million short chunks would take far more memory. */
export class ReceivedBody {
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

  /** The received bytes. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Adds a chunk. False if that would make more than MAX_BODY_BYTES. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > MAX_BODY_BYTES) return false;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return true;
  }
}
