import type { FormState } from './protocol.ts';

/** What the user has opened, and what is ours, as URIs. */
export interface KnownPlaces {
  /** Where the extension keeps the documents of forms that have no file. */
  readonly storage: string;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The files that tabs show. */
  readonly tabs: readonly string[];
}

/**
 * A restored form without addresses that nobody opened. The form overwrites its file and removes the folder of its
 * other document. An address counts only in its place: our storage, a spec file of the open workspace, or a tab.
 */
export function withKnownPaths(state: FormState, { storage, folders, tabs }: KnownPlaces): FormState {
  const { fileUri, scratchUri } = state.context;
  const isSpecOfWorkspace = specEnding.test(fileUri) && folders.some((folder) => isBelow(fileUri, folder));
  const isScratch = isBelow(scratchUri, storage) && scratchEnding.test(scratchUri.slice(storage.length));
  return {
    ...state,
    context: {
      ...state.context,
      fileUri: isSpecOfWorkspace || tabs.includes(fileUri) ? fileUri : '',
      scratchUri: isScratch ? scratchUri : '',
    },
  };
}

const specEnding = /\.resource-spec\.ya?ml$/i;
const scratchEnding = /^\/resource-spec\/[0-9a-f-]{36}\/deployment\.resource-spec\.yaml$/;

/** Steps upwards lead out of a folder, also where they are encoded. */
function isBelow(uri: string, folder: string): boolean {
  return uri.startsWith(`${folder}/`) && !/\/(?:\.|%2e){1,2}(?:\/|$)|%2f|%5c|[?#\\]/i.test(uri.slice(folder.length));
}
