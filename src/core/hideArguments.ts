/** Words at the end of the name of an option or variable that say that its value is a secret. "max-tokens" is none. */
const secretName =
  '[\\w.-]{0,60}(?:secret|passw(?:or)?d|passphrase|pwd|token|credentials?|authorization|(?:api|access|account|private|secret|signing|encryption)[_-]?key)';

/**
 * Replaces the values in the arguments of a container whose names say that they are secret: "--api-key=…",
 * "--token …" in one argument or in two, "PASSWORD=…" and "Authorization: Bearer …". Everything else stays: without
 * its arguments, nobody knows what a container does.
 */
export function hideArguments(texts: readonly string[], hidden: string): string[] {
  const name = `((?<![\\w.-])(?:${secretName}["']?\\s*[=:]\\s*|--?${secretName}\\s+))`;
  // An argument that begins with a name is the value to its end; elsewhere, a shell ends the value.
  const whole = new RegExp(`^${name}[^]+$`, 'i');
  const inside = new RegExp(`${name}(?:bearer\\s+|basic\\s+)?(?:"[^"]*"|'[^']*'|[^\\s"';&|]+)`, 'gi');
  const optionAlone = new RegExp(`^--?${secretName}$`, 'i');
  return texts.map((text, index) => {
    const isValue = optionAlone.test(texts[index - 1] ?? '') && !text.startsWith('-') && text !== '';
    return isValue ? hidden : text.replace(whole, `$1${hidden}`).replaceAll(inside, `$1${hidden}`);
  });
}
