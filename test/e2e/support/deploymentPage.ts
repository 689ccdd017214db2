import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Screen } from './screen.ts';

/** The page of a deployment: what a person sees of it, and what they can do there. */
export interface DeploymentPage {
  readonly frame: Frame;
  /** The button that deploys, whatever it says besides. It is there once nothing is in the way. */
  readonly deploy: Locator;
  /** A text or a choice, by its label. */
  readonly field: (label: string) => Locator;
  /** Where the value of a field comes from, in words. */
  readonly origin: (label: string) => Promise<string>;
  /** A button by its name. One in a row has the name of the row after its own. */
  readonly button: (name: string) => Locator;
  /** The rows of a table, each as its texts without those of its buttons. */
  readonly rows: (table: string) => Promise<string[]>;
}

/** Waits until a page with this title is in front and was checked. */
export async function deploymentPage(screen: Screen, title: string): Promise<DeploymentPage> {
  // A busy machine takes its time to restore the page of a window that was reloaded.
  const frame = await titledFrame(screen, title);
  await expect.poll(() => frame.locator('.checking').allInnerTexts(), { timeout: 60_000 }).toEqual(['']);
  const rowsOf = (table: string) => frame.getByRole('group', { name: table, exact: true }).getByRole('listitem');
  return {
    frame,
    deploy: frame.locator('footer').getByRole('button', { name: /^Deploy(?: with |$)/ }),
    field: (label) => frame.getByLabel(label, { exact: true }),
    origin: (label) =>
      frame
        .locator('.field-label')
        .filter({ has: frame.getByText(label, { exact: true }) })
        .locator('.from')
        .innerText(),
    button: (name) => frame.getByRole('button', { name, exact: true }),
    rows: (table) =>
      rowsOf(table).evaluateAll((rows) =>
        rows.map((row) =>
          Array.from(row.children)
            .filter((part) => !part.matches('.actions'))
            .map((part) => part.textContent.trim())
            .filter(Boolean)
            .join(' '),
        ),
      ),
  };
}

/** Waits until a page with this title is in front. */
export async function titledFrame(screen: Screen, title: string): Promise<Frame> {
  const heading = async () => (await screen.webview()).locator('h1').innerText({ timeout: 1_000 });
  // A busy machine takes its time to restore the page of a window that was reloaded.
  await expect.poll(heading, { timeout: 60_000 }).toBe(title);
  return screen.webview();
}
