/** Restores the focus when it returns to the page, because the browser forgets where it was. */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  });
}

/** Puts the focus back where it is now. */
export function toFocus(): () => void {
  const { activeElement } = document;
  return () => activeElement instanceof HTMLElement && activeElement.focus();
}

/**
 * Draws, and leaves the focus where it was, in sight if it was in sight. If that is gone, the focus goes to what is left
 * around it.
 * @param homes the parts whose first target takes a focus that is lost in them
 */
export function keepingFocus(homes: string, draw: () => void): void {
  const focused = document.activeElement;
  const around: Element[] = [];
  for (let home = focused?.closest(homes); home; home = home.parentElement?.closest(homes)) around.push(home);
  const before = focused?.getBoundingClientRect();
  draw();
  const { activeElement } = document;
  // What was drawn may have put the focus where it wants it.
  if (activeElement !== document.body && activeElement !== focused) return;
  if (!(focused instanceof HTMLElement) || focused === document.body) return;
  if (focused.checkVisibility()) {
    if (activeElement !== focused) focused.focus({ preventScroll: true });
    // The browser keeps its place only on a page that is scrolled, and does not know the footer.
    const wasInSight = before !== undefined && before.bottom > 0 && before.top < window.innerHeight;
    if (wasInSight && focused.getBoundingClientRect().top !== before.top) focused.scrollIntoView({ block: 'nearest' });
    return;
  }
  const home = around.find(({ isConnected }) => isConnected);
  home?.querySelector<HTMLElement>(':is(input, select, [tabindex="-1"]):not([hidden])')?.focus();
}
