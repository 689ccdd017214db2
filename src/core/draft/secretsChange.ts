import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { DraftSecret } from './draft.ts';
import { finding, type Finding } from './findings.ts';

/** What will be gone, because secrets replace an environment as a whole, and why they can't be sent like this. */
export function secretsChangeFindings(
  deployment: Deployment,
  wished: readonly DraftSecret[] | undefined,
): readonly Finding[] {
  if (wished === undefined) return [];
  const existing = namesOf(deployment.secrets ?? []);
  if (wished.length === 0) {
    const words = l10n.t("The service can't remove all secrets. Keep at least one of these: {0}.", existing.join(', '));
    return existing.length === 0 ? [] : [about('error', words)];
  }
  const names = new Set(namesOf(wished));
  const gone = existing.filter((name) => !names.has(name)).join(', ');
  const unlisted = l10n.t("The service doesn't list the secrets it has. Any that aren't sent again will be gone.");
  return [
    ...(gone === '' ? [] : [about('warning', l10n.t('These secrets will be gone: {0}.', gone))]),
    ...(deployment.secrets === undefined ? [about('warning', unlisted)] : []),
  ];
}

function namesOf(secrets: readonly { readonly name: string }[]): readonly string[] {
  return secrets.map(({ name }) => name);
}

function about(severity: Finding['severity'], message: string): Finding {
  return finding(severity, message, 'secrets');
}
