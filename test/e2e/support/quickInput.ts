import { errors } from 'playwright-core';
import type { Locator, Page } from 'playwright-core';

/** The box at the top in which VS Code asks: quick picks, input boxes and the command palette. */
export interface QuickInput {
  /** The whole box; use it to wait for it and to look into it. */
  readonly box: Locator;
  /** The rows on the screen, each as its label, description and detail with single blanks between. */
  rows(): Promise<string[]>;
  /** The row with this label, exactly. */
  row(label: string | RegExp): Locator;
  /** Waits for the row and accepts it with a click. */
  choose(label: string | RegExp): Promise<void>;
  /** Waits until the box asks under this title, types the text and accepts it. */
  answer(title: string, text: string): Promise<void>;
  /** Replaces the text in the line. */
  fill(text: string): Promise<void>;
  /** Accepts with the Enter key. */
  accept(): Promise<void>;
  /** Leaves with the Escape key. */
  cancel(): Promise<void>;
  /** Runs a command through the palette. */
  runCommand(title: string): Promise<void>;
  /** The first commands that the palette offers for these words. */
  commands(words: string): Promise<string[]>;
}

const patienceMilliseconds = 90_000;
/** How long the palette is looked at before it is opened again. */
const attemptMilliseconds = 2_000;

export function quickInput(page: Page): QuickInput {
  const box = page.locator('.quick-input-widget:visible');
  const line = box.locator('input.input');
  const row = (label: string | RegExp) =>
    box.getByRole('option').filter({
      has: page.locator('.quick-input-list-label .quick-input-list-row:first-child .label-name', {
        hasText: typeof label === 'string' ? new RegExp(`^\\s*${escape(label)}\\s*$`) : label,
      }),
    });
  const click = async (label: string | RegExp, timeout: number) => {
    // Where the mouse rests from the click before, the row there may show a hover that lies over the next rows.
    await page.mouse.move(0, 0);
    await row(label).first().click({ timeout });
  };
  const acceptInPalette = async (title: string) => {
    try {
      await line.fill(`>${title}`, { timeout: attemptMilliseconds });
      await row(title).first().waitFor({ timeout: attemptMilliseconds });
      // A click that is given up on may still run the command, which would then ask twice.
      await click(title, patienceMilliseconds / 3);
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  };
  return {
    box,
    rows: () =>
      box.getByRole('option').evaluateAll((options) =>
        options.map((option) =>
          // A row that showed something else before keeps that, hidden.
          Array.from(option.querySelectorAll('.label-name, .label-description'))
            .filter((part) => part.getClientRects().length > 0)
            .map((part) => part.textContent.trim())
            .filter(Boolean)
            .join(' '),
        ),
      ),
    row,
    choose: (label) => click(label, patienceMilliseconds),
    async answer(title, text) {
      const exactly = new RegExp(`^\\s*${escape(title)}\\s*$`);
      await box.locator('.quick-input-title', { hasText: exactly }).waitFor({ timeout: patienceMilliseconds });
      await line.fill(text);
      await line.press('Enter');
    },
    fill: (text) => line.fill(text),
    accept: () => line.press('Enter'),
    cancel: () => line.press('Escape'),
    async runCommand(title) {
      // The palette lists the commands that were known when it was opened, and those of an extension may come later. A
      // workbench that is still starting moves the focus, which closes the palette.
      const deadline = Date.now() + patienceMilliseconds;
      for (;;) {
        await page.keyboard.press('F1');
        const accepted = await acceptInPalette(title);
        if (accepted) return;
        if (Date.now() > deadline) throw new Error(`The command palette has no command "${title}".`);
        await page.keyboard.press('Escape');
      }
    },
    async commands(words) {
      await page.keyboard.press('F1');
      await line.fill(`>${words}`);
      await row(new RegExp(`^\\s*${escape(words)}`))
        .first()
        .waitFor();
      const titles = await this.rows();
      await line.press('Escape');
      return titles;
    },
  };
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
