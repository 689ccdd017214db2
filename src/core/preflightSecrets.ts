import * as l10n from '@vscode/l10n';
import { secretNameProblem } from './dotenv.ts';
import type { Finding, PreflightInput } from './preflightInput.ts';

/** Looks at the secrets, and at the environment that the application config expects and nobody sends. */
export function secretFindings(input: PreflightInput): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { name, value } of input.draft.secrets) {
    const problem = secretNameProblem(name, input.reservedSecretNames);
    if (problem !== undefined) {
      findings.push(finding('error', problem));
    } else if (seen.has(name)) {
      findings.push(finding('error', l10n.t('The secret {0} is there twice. Remove one of them.', name)));
    } else {
      findings.push(...doubts(name, value));
    }
    seen.add(name);
  }
  return [...findings, ...environmentFindings(input, seen)];
}

function doubts(name: string, value: string): Finding[] {
  const findings: Finding[] = [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    const message = l10n.t('{0} is an unusual name: a shell cannot read it as an environment variable.', name);
    findings.push(finding('warning', message));
  }
  if (value === '') {
    findings.push(finding('warning', l10n.t('The secret {0} has an empty value.', name)));
  } else if (value.trim() !== value) {
    findings.push(finding('warning', l10n.t('The value of {0} begins or ends with white space.', name)));
  }
  return findings;
}

function environmentFindings(input: PreflightInput, sent: ReadonlySet<string>): Finding[] {
  const { appConfig, configEnvNames, reservedSecretNames } = input;
  if (appConfig?.kind !== 'config' || appConfig.env.kind === 'none') {
    return [];
  }
  const place = appConfig.env.kind === 'file' ? appConfig.env.path : appConfig.path;
  const names = appConfig.env.kind === 'inline' ? appConfig.env.names : configEnvNames;
  if (names === undefined) {
    const message = l10n.t('The service does not read {0}: send what the application needs as secrets.', place);
    return [finding('info', message)];
  }
  const missing = names.filter((name) => !sent.has(name) && !reservedSecretNames.includes(name));
  if (missing.length === 0) {
    return [];
  }
  const message = l10n.t(
    'The service does not read {0}: send {1} as secrets, or the application runs without them.',
    place,
    listOf(missing),
  );
  return [finding('warning', message)];
}

function finding(severity: Finding['severity'], message: string): Finding {
  return { severity, field: 'secrets', message };
}

/** Names the first few, because a dotenv file may hold dozens. */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? l10n.t('{0} and {1} more', shown, names.length - 5) : shown;
}
