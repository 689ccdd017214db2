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
