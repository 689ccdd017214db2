import * as l10n from '@vscode/l10n';
import type { Capability } from '../../api/flavor.ts';

/** Says that a service can't do something, and what to do instead. */
export function missingCapability(capability: Capability, connection: string): string {
  switch (capability) {
    case 'logs':
      return l10n.t('"{0}" has no logs. The reason for a failure is in the details of its revision.', connection);
    case 'redeploy':
      return l10n.t(
        '"{0}" can\'t deploy a revision again. Push a commit instead. To go back, revert a commit and push.',
        connection,
      );
    case 'update':
      return l10n.t('"{0}" can\'t change a deployment. Create another one instead.', connection);
    case 'interrupt':
      return l10n.t('"{0}" can\'t stop a build. Wait until it ends, or push a newer commit.', connection);
    case 'delete':
      return l10n.t('"{0}" can\'t delete a deployment for you. Ask whoever operates the service.', connection);
    case 'upload':
      return l10n.t('"{0}" doesn\'t take uploads. Push your changes and deploy the branch instead.', connection);
    case 'listenerEdit':
      return l10n.t('"{0}" can\'t change a listener. Register the cluster again under another ID.', connection);
    case 'providerList':
      return l10n.t('"{0}" doesn\'t list its OAuth providers. Enter the ID of one.', connection);
  }
}
