import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

/** How long a test waits for what it expects. */
const patienceMilliseconds = 60_000;
/** How often a test looks at what tells no event; `test/e2e/README.md` says what that is. */
const lookMilliseconds = 25;

/** Lets tests look again as soon as something happens in the window. */
export interface Changes {
  /** Wakes all who wait. */
  readonly happened: () => void;
  /** Repeats the look, at each change, until it does not throw; after its time it fails as the last look did. */
  readonly until: <T>(look: () => T | Promise<T>) => Promise<T>;
}

export function watchChanges(): Changes {
  let waiting: (() => void)[] = [];
  const next = (): Promise<unknown> =>
    Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), delay(lookMilliseconds)]);
  const happened = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  vscode.window.onDidChangeActiveTextEditor(happened);
  vscode.window.tabGroups.onDidChangeTabs(happened);
  vscode.workspace.onDidChangeTextDocument(happened);
  vscode.workspace.onDidChangeConfiguration(happened);
  vscode.languages.onDidChangeDiagnostics(happened);
  return {
    happened,
    async until(look) {
      const deadline = performance.now() + patienceMilliseconds;
      for (;;) {
        // What happens during the look counts too.
        const changed = next();
        try {
          return await look();
        } catch (error) {
          if (performance.now() > deadline) throw error;
        }
        await changed;
      }
    },
  };
}
