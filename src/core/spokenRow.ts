/**
 * A row as one sentence for a screen reader: the name and the words beside it. The dots that part the words on the
 * screen would be read aloud, and commas make the pauses.
 */
export function spokenRow(label: string, description: string): string {
  return [label, ...description.split(' · ')].filter((part) => part !== '').join(', ');
}
