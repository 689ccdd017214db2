import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where the focus is, as a person with a keyboard knows it. */
interface Stop {
  readonly name: string;
  /** Whether the element can be told from its neighbors by an outline. */
  readonly isMarked: boolean;
  /** Whether the element is on the screen and nothing lies over it. */
  readonly isInSight: boolean;
}

/** More stops than the form has with everything unfolded. */
const mostStops = 80;

/** A keyboard that counts its presses. */
export class CountingKeyboard {
  presses = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.presses += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.presses += text.length;
    await this.#page.keyboard.type(text);
  }

  /** Moves the focus until it is on what has this name, and watches that it can be seen at every stop. */
  async moveTo(form: Frame, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let stops = 0; stops < mostStops; stops += 1) {
      await this.press(key);
      // The browser scrolls to what it focuses with the next picture.
      await expect.poll(() => focused(form)).toMatchObject({ isMarked: true, isInSight: true });
      const stop = await focused(form);
      if (typeof name === 'string' ? stop.name.startsWith(name) : name.test(stop.name)) return;
    }
    throw new Error(`Nothing named ${String(name)} can be reached with ${key}.`);
  }
}

export function focused(form: Frame): Promise<Stop> {
  return form.evaluate(() => {
    const stop = document.activeElement;
    if (stop === null || stop === document.body) return { name: '', isMarked: true, isInSight: true };
    const isControl =
      stop instanceof HTMLInputElement || stop instanceof HTMLTextAreaElement || stop instanceof HTMLSelectElement;
    const labels = isControl ? stop.labels : null;
    const label = stop.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? stop.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(stop);
    const { left, top, width, height } = stop.getBoundingClientRect();
    const over = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 16));
    return {
      name: label.trim(),
      isMarked: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
      isInSight: over !== null && stop.contains(over),
    };
  });
}

/**
 * Has VS Code's frame around a page hand no focus on to it. On a busy machine it learns too late that the page has lost it.
 */
export async function handNoFocusOn(page: Frame): Promise<void> {
  const around = page.parentFrame();
  if (around === null) throw new Error('There is no frame around the page.');
  await around.evaluate(() => {
    Object.defineProperty(document, 'activeElement', { get: () => document.querySelector('#active-frame') });
  });
}

/** What axe finds serious or worse in the form. */
export async function seriousFindings(form: Frame): Promise<string[]> {
  await form.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return form.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/**
 * What of a page takes scrolling sideways to see, and its bar if that is out of sight or hides more than a third of the
 * page.
 */
export function layoutProblems(page: Frame): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, clientHeight } = document.documentElement;
    const scrolling = Array.from(document.querySelectorAll('body *')).filter(
      (part) => part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX),
    );
    const outside = Array.from(document.querySelectorAll('button, input, select, summary')).filter((control) => {
      const { left, right } = control.getBoundingClientRect();
      return left < 0 || right > clientWidth;
    });
    const bar = document.querySelector('footer')?.getBoundingClientRect();
    const isBarInView = bar !== undefined && bar.top >= 0 && bar.bottom <= clientHeight + 1;
    return [
      ...(scrollWidth > clientWidth ? [`The page is ${scrollWidth} pixels wide.`] : []),
      ...scrolling.map(({ className }) => `${className} scrolls sideways.`),
      ...outside.map(({ outerHTML }) => `${outerHTML} is outside.`),
      ...(isBarInView ? [] : ["The bar isn't in view."]),
      ...((bar?.height ?? 0) > clientHeight / 3 ? [`The bar is ${bar?.height} of ${clientHeight} pixels high.`] : []),
    ];
  });
}

/** Holds back the editor's messages to a page, as a slow connection does. Gives their types, and delivers them. */
export async function holdMessages(form: Frame) {
  const held = await form.evaluateHandle(() => {
    const messages: { type: string }[] = [];
    const deliver = window.postMessage.bind(window);
    // The frame around the page calls it.
    window.postMessage = (message: { type: string }) => void messages.push(message);
    const release = (): void => {
      window.postMessage = deliver;
      for (const message of messages) deliver(message, window.origin);
    };
    return { messages, release };
  });
  return {
    types: () => held.evaluate(({ messages }) => messages.map(({ type }) => type)),
    release: () => held.evaluate(({ release }) => release()),
  };
}
