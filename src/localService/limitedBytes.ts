/** Passes chunks on, up to a number of bytes. Fails with the given error beyond it. */
export async function* limitedBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
  failure: () => Error,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > most) throw failure();
    yield chunk;
  }
}
