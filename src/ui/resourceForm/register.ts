import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { registerResourceSpecFiles } from '../resourceSpecFiles.ts';
import type { Stores } from '../stores.ts';
import { ResourceForms } from './resourceForms.ts';

type Context = Pick<vscode.ExtensionContext, 'extensionUri' | 'storageUri' | 'globalStorageUri' | 'subscriptions'>;

/** Makes the resource forms and the help for spec files. Nothing heavy is loaded before one of them is used. */
export function registerResourceForms(context: Context, { connections, clock, log }: Stores): ResourceForms {
  const flavor = (): FlavorName => {
    const { session } = connections;
    return session.kind !== 'none' && session.connection.kind === 'service' ? session.connection.flavor : 'standard';
  };
  const storageUri = context.storageUri ?? context.globalStorageUri;
  const now = (): number => clock.now();
  import('./keptForm.ts')
    .then(async ({ removeOldForms }) => removeOldForms(storageUri.fsPath, now()))
    .catch((error: unknown) => log.error('Old forms were not removed.', error));
  const forms = new ResourceForms({
    extensionUri: context.extensionUri,
    storageUri,
    now,
    log,
    flavor,
    openForms: new Set(),
    reopenOffers: new Set(),
    chooseSpecOfDeployment: async () =>
      (await import('./chooseSpecOfDeployment.ts')).chooseSpecOfDeployment(connections),
    useForDeployment: async (resourceSpec) => {
      await vscode.commands.executeCommand('deploymentManager.deployCurrentRepository', { resourceSpec });
    },
  });
  context.subscriptions.push(forms, registerResourceSpecFiles(flavor));
  return forms;
}
