/** A text of the service, of a file or of a person for a quick pick or the status bar, where `$(name)` is an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
