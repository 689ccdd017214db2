import type { FormState } from './protocol.ts';

/** What the user has opened, as URIs. */
export interface KnownPlaces {
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The files that tabs show. */
  readonly tabs: readonly string[];
}

/**
 * A restored form without an address that nobody opened. The form reads its file and writes over it, so that an address
 * counts only as a spec file of the open workspace or in a tab.
 */
export function withKnownPaths(state: FormState, { folders, tabs }: KnownPlaces): FormState {
  const { fileUri } = state.context;
  const isSpecOfWorkspace = specEnding.test(fileUri) && folders.some((folder) => isBelow(fileUri, folder));
  const isKnown = isSpecOfWorkspace || tabs.includes(fileUri);
  return { ...state, context: { ...state.context, fileUri: isKnown ? fileUri : '' } };
}

const specEnding = /\.resource-spec\.ya?ml$/i;

/** Steps upwards lead out of a folder, also where they are encoded. */
function isBelow(uri: string, folder: string): boolean {
  return uri.startsWith(`${folder}/`) && !/\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|[?#\\]/i.test(uri.slice(folder.length));
}
