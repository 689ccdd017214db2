import { namedPaths, type NamedPath } from './namedPaths.ts';
import { resolveFromConfig } from './paths.ts';

/** A file or folder that was renamed or moved. Paths are relative to the repository's root. */
export interface MovedPath {
  readonly from: string;
  readonly to: string;
}

/** A new text for a part of a config file. */
interface PathCorrection {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The corrections that a config file needs after moves, so that its paths lead to the same files as before.
 * The config file may have been moved too. Modules stay as they are, because an installed package may have them.
 * @param configPath where the config file is now
 */
export function correctPaths(text: string, configPath: string, moved: readonly MovedPath[]): readonly PathCorrection[] {
  const back = moved.map(({ from, to }) => ({ from: to, to: from }));
  const configBefore = pathAfter(configPath, back);
  return namedPaths(text).flatMap((named) => {
    if (named.kind === 'module') return [];
    const before = resolveFromConfig(configBefore, named.path);
    if (before === undefined) return [];
    const after = pathAfter(before, moved);
    if (resolveFromConfig(configPath, named.path) === after) return [];
    return [corrected(text, named, relativeTo(configPath, after))];
  });
}

/** The correction that lets the path at a place of a config file lead to another file. */
export function leadTo(
  text: string,
  configPath: string,
  place: { readonly start: number; readonly end: number },
  file: string,
): PathCorrection | undefined {
  const named = namedPaths(text).find(({ start, end }) => place.start <= start && end <= place.end);
  return named && corrected(text, named, relativeTo(configPath, file));
}

function pathAfter(path: string, moved: readonly MovedPath[]): string {
  const move = moved.find(({ from }) => path === from || path.startsWith(`${from}/`));
  return move === undefined ? path : move.to + path.slice(move.from.length);
}

/** A path as a config file writes it. */
function relativeTo(configPath: string, path: string): string {
  const folders = configPath.split('/').slice(0, -1);
  const steps = path.split('/');
  const different = folders.findIndex((folder, index) => folder !== steps[index]);
  const common = different === -1 ? folders.length : different;
  const up = folders.slice(common).map(() => '..');
  return [...(up.length > 0 ? up : ['.']), ...steps.slice(common)].join('/');
}

/** Replaces a path and leaves the attribute of a graph and the quotes as they are. Adds those that YAML needs. */
function corrected(text: string, { kind, path, start, end }: NamedPath, relative: string): PathCorrection {
  const written = text.slice(start, end);
  const blank = written.length - written.trimStart().length;
  // No attribute has a colon, but the path may be written with escapes.
  const pathEnd = kind === 'graph' ? written.lastIndexOf(':') : written.length;
  const hasDot = kind === 'dependency' || /^\.{1,2}[\\/]/.test(path);
  const shown = hasDot ? relative : relative.replace(/^\.\//, '');
  const quote = text[start - 1];
  if (quote !== '"' && quote !== "'" && /\s#|:\s|^[^\w./]|[,[\]{}]/.test(shown)) {
    return { start: start + blank, end, text: JSON.stringify(shown + written.slice(pathEnd)) };
  }
  return { start: start + blank, end: start + pathEnd, text: escaped(shown, quote) };
}

function escaped(path: string, quote: string | undefined): string {
  if (quote === "'") return path.replaceAll("'", "''");
  return quote === '"' ? JSON.stringify(path).slice(1, -1) : path;
}
