import { specPart } from './specPart.ts';
import { readSpecText } from './specYaml.ts';

/**
 * Makes YAML that was cut out of a Kubernetes manifest stand on its own: a first line that lost its indentation in the
 * cutting gets it back, what is indented as a whole moves to the margin, and the line that named the list goes.
 */
export function tidyPastedYaml(pasted: string): string {
  const text = atMargin(alignFirstLine(pasted.replaceAll('\r\n', '\n').trimEnd()));
  const document = readSpecText(text);
  if (document.kind === 'unreadable') return text;
  const [key, ...others] = document.entries.keys();
  return key !== undefined && others.length === 0 && manifestKeys.has(key) ? specPart(document, key).text : text;
}

/** The keys under which Kubernetes manifests and resource specs keep the lists that the form edits as YAML. */
export const manifestKeys: ReadonlySet<string> = new Set([
  'volumes',
  'volumeMounts',
  'volume_mounts',
  'initContainers',
  'init_containers',
  'containers',
  'sidecars',
  'imagePullSecrets',
  'image_pull_secrets',
]);

/** A selection that begins behind the indentation of its first line: the other lines tell how much is missing. */
function alignFirstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const filled = rest.filter((line) => line.trim() !== '');
  if (indentOf(first) > 0 || filled.length === 0) return text;
  const least = Math.min(...filled.map(indentOf));
  const beginsItem = filled.some((line) => indentOf(line) === least && line.trimStart().startsWith('- '));
  const missing = first.startsWith('- ') && !beginsItem ? least - 2 : least;
  return missing > 0 && first.startsWith('- ') ? ' '.repeat(missing) + text : text;
}

function atMargin(text: string): string {
  const lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map(indentOf);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(least, indentOf(line)))).join('\n');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
