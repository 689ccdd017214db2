import * as vscode from 'vscode';
import { findDefinition } from '../../core/appConfig/definitions.ts';
import { filesOf, namedPaths, type NamedPath } from '../../core/appConfig/namedPaths.ts';
import { exists } from '../window/files.ts';
import { readFileText } from '../window/fileText.ts';
import { configPlace } from './place.ts';

/** In bytes. A larger source file is opened at its first line. */
const largestSource = 1_000_000;

/** In characters. Finding the paths in a longer text would hold up typing. */
const longestText = 64 * 1024;

/** Where a path in a config file may lead. */
interface Leads extends Pick<NamedPath, 'kind' | 'attribute'> {
  /** The repository, or the open folder if git doesn't know one. */
  readonly root: vscode.Uri;
  /** Finds the files below it, the likeliest first. */
  readonly files: () => readonly string[];
}

/** A link whose target is looked for when the user opens it. */
class ConfigLink extends vscode.DocumentLink {
  readonly leads: Leads;

  constructor(range: vscode.Range, leads: Leads) {
    super(range);
    this.leads = leads;
  }
}

/** The paths in a config file that stay in its repository. */
export async function configLinks(document: vscode.TextDocument): Promise<readonly vscode.DocumentLink[]> {
  const text = document.getText();
  if (text.length > longestText) return [];
  const place = await configPlace(document.uri);
  if (place === undefined) return [];
  const { root, path: configPath } = place;
  const all = namedPaths(text);
  return all.flatMap((named) => {
    const files = (): readonly string[] => filesOf(named, all, configPath);
    // A module may be in many places.
    if (named.kind !== 'module' && files().length === 0) return [];
    const range = new vscode.Range(document.positionAt(named.start), document.positionAt(named.end));
    return [new ConfigLink(range, { ...named, root, files })];
  });
}

/** Finds where a link leads: to the line of a graph, to a file, or to what the Explorer shows of it. */
export async function resolveConfigLink(link: vscode.DocumentLink): Promise<vscode.DocumentLink> {
  if (link instanceof ConfigLink) link.target = await targetOf(link.leads);
  return link;
}

async function targetOf({ kind, attribute, root, files: likely }: Leads): Promise<vscode.Uri> {
  const files = likely();
  for (const file of files) {
    const uri = vscode.Uri.joinPath(root, file);
    try {
      // Rejects for a file outside the repository, links resolved. Reads only source files, because others may hold secrets.
      const text = await readFileText(uri, attribute === undefined ? 0 : largestSource, root);
      const line = attribute === undefined ? undefined : findDefinition(text ?? '', attribute, file);
      return typeof line === 'number' ? uri.with({ fragment: `L${line}` }) : uri;
    } catch {
      // The next one may exist.
    }
  }
  const first = vscode.Uri.joinPath(root, files[0] ?? '');
  if (kind === 'dependency') return inExplorer(vscode.Uri.joinPath(first, '..'));
  // The editor says that a missing file doesn't exist, and offers to create it.
  return (await exists(first)) ? inExplorer(first) : first;
}

function inExplorer(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.parse(`command:revealInExplorer?${encodeURIComponent(JSON.stringify([uri]))}`, true);
}
