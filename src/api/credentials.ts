/**
 * An address without the user name and password that it may carry; any other text as it is. Over ssh a user name alone
 * is no secret, and the address does not work without it.
 */
export function withoutCredentials(text: string): string {
  return replaceCredentials(text, () => '');
}

/**
 * Replaces the user name and password of each address in a text. Addresses are found by the end of their scheme: to look
 * for a scheme takes quadratic time on a hostile text.
 */
export function replaceCredentials(text: string, hide: (credentials: string) => string): string {
  return text.replaceAll(/:\/\/([^\s/?#]*)@/g, (found: string, user: string, offset: number) => {
    const isSsh = /(?:^|[^a-z0-9+.-])ssh$/i.test(text.slice(Math.max(0, offset - 4), offset));
    if (isSsh && !user.includes(':')) return found;
    const shown = hide(user);
    // A text that quotes the password quotes it alone.
    hide(user.slice(user.indexOf(':') + 1));
    return shown === '' ? '://' : `://${shown}@`;
  });
}
