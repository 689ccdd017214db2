import { resolveFromConfig } from '../appConfig/paths.ts';

/** A file that a failed build names, and the line if it names one. */
export interface NamedFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number | undefined;
}

/** In characters. Builds name a file at the beginning of what they say. */
const longestReason = 2_000;
/** More would be a listing rather than the cause. */
const mostFiles = 5;

/**
 * The files that the reason of a failure may mean, the first named first.
 * A path counts from the root of the repository or from the folder of the config file; only the caller can tell which of
 * them exists. One that leaves the repository is left out.
 */
export function filesIn(reason: string, configPath = ''): readonly NamedFile[] {
  const found = new Map<string, NamedFile>();
  // A file has an extension: anything else is more likely a word.
  for (const [, path = '', line] of reason.slice(0, longestReason).matchAll(namedFile)) {
    for (const base of new Set(['', configPath])) {
      const resolved = resolveFromConfig(base, path);
      if (resolved === undefined || found.has(resolved)) continue;
      found.set(resolved, { path: resolved, line: line === undefined ? undefined : Number(line) });
    }
  }
  return [...found.values()].slice(0, mostFiles);
}

/** The line of a config file that a reason gives, or that of the graph that it names. Counted from 1. */
export function lineIn(reason: string, config: string): number | undefined {
  const beginning = reason.slice(0, longestReason);
  const line = /\bline (\d{1,6})\b/.exec(beginning)?.[1];
  if (line !== undefined) return Number(line);
  const graph = /\bgraph "([^"\n]{1,200})"/.exec(beginning)?.[1];
  if (graph === undefined) return undefined;
  const isKey = (text: string): boolean => {
    const start = text.indexOf(graph);
    const [before = '', after] = [text[start - 1], text.slice(start + graph.length)];
    return start >= 0 && /^[\s{,"']?$/.test(before) && /^["']?\s*:/.test(after);
  };
  const place = config.split('\n').findIndex(isKey);
  return place < 0 ? undefined : place + 1;
}

// The look-behind keeps it from starting inside a longer path or an address.
const namedFile = /(?<![\w.@/\\:-])([\w.@-]{1,100}(?:[/\\][\w.@-]{1,100}){0,20}\.[A-Za-z]\w{0,9})(?::(\d{1,6})\b)?/g;
