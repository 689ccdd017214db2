import path from 'node:path';

/** The custom editor that shows a resource spec as a form. */
export const resourceFormType = 'deploymentManager.resourceSpec';

export const specFilePattern = '**/*.resource-spec.{yaml,yml}';

export const specFileEnding = /\.resource-spec\.ya?ml$/i;

/** The folder of the drafts in the extension's storage. */
export function draftsFolder(storage: string): string {
  return path.join(storage, 'resource-spec');
}

/** Whether a file is a draft: a resource spec that belongs to no file of the user. */
export function isDraft(storage: string, file: string): boolean {
  return file.startsWith(draftsFolder(storage) + path.sep);
}
