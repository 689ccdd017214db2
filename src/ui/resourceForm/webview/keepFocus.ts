/** Puts the focus back when it returns to the page: the browser forgets where it was while another frame has it. */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) last?.focus({ preventScroll: true });
  });
}
