import type { Page } from 'playwright-core';

/**
 * Everything that VS Code has written into the browser's databases, as text. VS Code writes a moment after it was asked
 * to, so a test which reloads the window first waits until what it needs is there.
 */
export async function storedState(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const texts: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await finished(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const values: unknown[] = await finished(database.transaction(store).objectStore(store).getAll());
        for (const value of values)
          texts.push(value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
      }
      database.close();
    }
    return texts.join('\n');
  });
}
