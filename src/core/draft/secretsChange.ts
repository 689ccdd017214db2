import * as l10n from '@vscode/l10n';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { DraftSecret } from './draft.ts';
import { finding, type Finding } from './findings.ts';

/** What becomes of an environment, which secrets replace as a whole: the names of the secrets. */
export interface SecretsChange {
  /** Exist, and are sent again. The values on the service are unknown, so each may be a new one. */
  readonly sentAgain: readonly string[];
  readonly added: readonly string[];
  /** Exist, but not among the ones to send. */
  readonly gone: readonly string[];
  /** Are to be sent, but have no value here. */
  readonly missing: readonly string[];
}

/** Undefined if the environment stays as it is, as it also does with an empty list. */
export function secretsChange(
  { secrets: existing = [] }: Deployment,
  wished: readonly DraftSecret[] | undefined,
): SecretsChange | undefined {
  if (wished === undefined || wished.length === 0) return undefined;
  const had = new Set(existing.map(({ name }) => name));
  const has = new Set(wished.map(({ name }) => name));
  return {
    sentAgain: [...has].filter((name) => had.has(name)),
    added: [...has].filter((name) => !had.has(name)),
    gone: [...had].filter((name) => !has.has(name)),
    missing: wished.filter(({ value }) => value === undefined).map(({ name }) => name),
  };
}

/** What will be gone, and why secrets can't be sent like this. */
export function secretsChangeFindings(
  deployment: Deployment,
  wished: readonly DraftSecret[] | undefined,
): readonly Finding[] {
  const names = (deployment.secrets ?? []).map(({ name }) => name).join(', ');
  if (wished?.length === 0 && names !== '') {
    return [about('error', l10n.t("The service can't remove all secrets. Keep at least one of these: {0}.", names))];
  }
  const change = secretsChange(deployment, wished);
  if (change === undefined) return [];
  const [gone, missing] = [change.gone.join(', '), change.missing.join(', ')];
  const unlisted = l10n.t("The service doesn't list the secrets it has. Any that aren't sent again will be gone.");
  return [
    ...(missing === '' ? [] : [about('error', missingWords(missing))]),
    ...(gone === '' ? [] : [about('warning', l10n.t('These secrets will be gone: {0}.', gone))]),
    ...(deployment.secrets === undefined ? [about('warning', unlisted)] : []),
  ];
}

function missingWords(names: string): string {
  return l10n.t(
    'These secrets have no value on this machine: {0}. Enter the values again, or leave the secrets out.',
    names,
  );
}

function about(severity: Finding['severity'], message: string): Finding {
  return finding(severity, message, 'secrets');
}
