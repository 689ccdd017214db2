import type { Frame, Locator } from 'playwright-core';
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
  const frame = await titledFrame(screen, title);
  await frame.locator('.checking:not(:empty)').first().waitFor({ state: 'detached' });
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
  // A busy machine takes its time to restore the page of a window that was reloaded.
  const deadline = Date.now() + 120_000;
  let shown: string | undefined;
  while (Date.now() < deadline) {
    // A page that is closing may still be there.
    const frame = await screen.webview().catch(() => undefined);
    const heading = frame?.getByRole('heading', { level: 1 });
    shown = await heading?.innerText({ timeout: 1_000 }).catch(() => undefined);
    if (frame !== undefined && shown === title) return frame;
    await screen.page.evaluate(() => new Promise(requestAnimationFrame));
  }
  throw new Error(`There is no page "${title}", but "${shown ?? ''}".`);
}
