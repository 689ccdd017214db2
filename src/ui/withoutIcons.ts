/** A text of the service, of a file or of a person for a quick pick, in which `$(name)` would become an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
