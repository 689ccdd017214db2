import { commonIndent, indentOf, outdented } from './specLines.ts';
import { specPart } from './specPart.ts';
import { readSpecText } from './specYaml.ts';

/**
 * Makes YAML that was cut out of a Kubernetes manifest stand on its own: a first line that lost its indentation in the
 * cutting gets it back, what is indented as a whole moves to the margin, and the line that named the list goes.
 */
export function tidyPastedYaml(pasted: string): string {
  const lines = alignFirstLine(pasted.replaceAll('\r\n', '\n').trimEnd()).split('\n');
  const text = outdented(lines, commonIndent(lines));
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
  if (!first.startsWith('- ')) return text;
  const least = commonIndent(rest);
  const beginsItem = rest.some((line) => line.startsWith('- ', least) && indentOf(line) === least);
  return ' '.repeat(Math.max(beginsItem ? least : least - 2, 0)) + text;
}
