/** The pause in typing after which input is sent, in milliseconds. */
export const typingPause = 500;

/** A page where the user types. */
interface TypedPage {
  readonly send: () => void;
  /** Takes back what the document doesn't have yet. False if there is nothing. */
  readonly undo: () => boolean;
}

/** Sends what was typed when the user leaves a field or the page, and before a command of VS Code. */
export function watchTyping(page: () => TypedPage | undefined): void {
  const send = (): void => page()?.send();
  window.addEventListener('focusout', send);
  // A click on another tab takes the page away before it loses the focus. The pointer leaves it first.
  document.documentElement.addEventListener('mouseleave', send);
  // Before the window hears of it: there, VS Code takes the keys for its own commands.
  document.addEventListener('keydown', (event) => {
    // Some commands have the keys F1 to F12, or arrows with Alt. Letters with Alt are typed on some keyboards.
    if (/^F\d/.test(event.key) || (event.altKey && /^(?:Arrow|Page)/.test(event.key))) send();
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    // Any other key may be a command that saves or closes the page.
    if (!/^(z|control|meta|shift)$/.test(key)) send();
    // The document's undo, which VS Code runs, doesn't know of input that it doesn't have yet.
    if (key === 'z' && !event.shiftKey && page()?.undo()) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}
