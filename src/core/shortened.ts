/** Keeps what is drawn readable when the text that it quotes is not: a longer text ends with "…". */
export function shortened(text: string, limit = 60): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
