/**
 * Advances the clock of a local service with development controls. It first looks for pushes; everything that became
 * due has happened when this returns.
 */
export async function advanceClock(
  service: { readonly url: string; readonly apiKey: string },
  milliseconds: number,
): Promise<void> {
  const response = await fetch(`${service.url}/_dev/clock`, {
    method: 'POST',
    headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ advanceMs: milliseconds }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`The clock cannot be advanced: ${response.status} ${await response.text()}`);
}
