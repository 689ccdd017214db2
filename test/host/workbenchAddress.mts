/** One thing that a workbench is told in its address. */
export type Payload = readonly [name: string, value: string];

export interface WorkbenchAddress {
  readonly port: string;
  readonly connectionToken?: string | undefined;
  /** The absolute path of the folder or of the `.code-workspace` file to open, or the address of a virtual folder. */
  readonly folder: string;
  readonly payload?: readonly Payload[];
}

/** The address of the workbench with a folder or a workspace of several folders open. */
export function workbenchAddress({ port, connectionToken, folder, payload = [] }: WorkbenchAddress): string {
  const opened = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const isVirtual = /^[a-z][a-z\d+.-]+:\//.test(folder);
  const query = new URLSearchParams({ [opened]: isVirtual ? folder : toUrlPath(folder) });
  if (connectionToken !== undefined) query.set('tkn', connectionToken);
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString().replaceAll('%2F', '/')}`;
}

/**
 * Tells the workbench of a test to load an extension from its folder, and, when a script is named, to run that script
 * in its extension host. A workbench without the smoke-test driver ignores both.
 */
export function developmentPayload(extensionFolder: string, testScript?: string): Payload[] {
  const payload: Payload[] = [
    ['extensionDevelopmentPath', `vscode-remote://remote${toUrlPath(extensionFolder)}`],
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  if (testScript !== undefined) payload.push(['extensionTestsPath', `vscode-remote://remote${toUrlPath(testScript)}`]);
  return payload;
}

function toUrlPath(file: string): string {
  const slashes = file.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}
