import path from 'node:path';

/** The custom editor that shows a resource spec as a form. */
export const resourceFormType = 'deploymentManager.resourceSpec';

const draftsName = 'resource-spec';

/** The folder of the drafts in the extension's storage. */
export function draftsFolder(storage: string): string {
  return path.join(storage, draftsName);
}

/** Whether a file is a draft: a resource spec that belongs to no file of the user. */
export function isDraft(storage: string, file: string): boolean {
  // Another window of the workspace has a storage of its own, beside this one.
  const [first = '', ...rest] = path.relative(path.dirname(path.dirname(storage)), file).split(path.sep);
  return first !== '..' && rest[0] === path.basename(storage) && rest[1] === draftsName;
}
