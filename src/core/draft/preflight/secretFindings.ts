import * as l10n from '@vscode/l10n';
import { firstNames } from '../../text/text.ts';
import { finding, type Finding, type PreflightInput } from '../findings.ts';

/** Checks the secrets and their references, and the config's environment variables that aren't sent. */
export function secretFindings(input: PreflightInput): Finding[] {
  const { secrets } = input.draft;
  return [
    ...missingValues(secrets.flatMap(({ name, value }) => (value === undefined ? [name] : []))),
    ...secrets.flatMap(({ name, value }) => (value === undefined ? [] : doubts(name, value))),
    ...environmentFindings(input),
  ];
}

function missingValues(names: readonly string[]): Finding[] {
  const [first] = names;
  if (first === undefined) return [];
  const message =
    names.length === 1
      ? l10n.t('Enter the value of {0}, or remove it.', first)
      : l10n.t('Enter the values of {0}, or remove them.', firstNames(names));
  return [finding('error', message, 'secrets')];
}

function doubts(name: string, value: string): Finding[] {
  const findings: Finding[] = [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    const message = l10n.t("{0} is an unusual name: a shell can't read it as an environment variable.", name);
    findings.push(finding('warning', message, 'secrets'));
  }
  if (value === '') {
    findings.push(finding('warning', l10n.t('The secret {0} has an empty value.', name), 'secrets'));
  } else if (value.trim() !== value) {
    findings.push(finding('warning', l10n.t('The value of {0} begins or ends with white space.', name), 'secrets'));
  }
  return findings;
}

/** The names in the config's environment that aren't among the secrets. Undefined if the names aren't known. */
function missingEnvNames({
  draft,
  appConfig,
  configEnv,
  reservedSecretNames,
}: PreflightInput): readonly string[] | undefined {
  if (appConfig?.kind !== 'config' || appConfig.env.kind !== 'inline') return configEnv?.names;
  const sent = new Set(draft.secrets.map(({ name }) => name));
  return appConfig.env.names.filter((name) => !sent.has(name) && !reservedSecretNames.includes(name));
}

/** Why other names of the config's environment can't be imported, in one line: each page of the application has it. */
function environmentNotes(place: string, { configEnv }: PreflightInput): Finding[] {
  const [first, ...others] = configEnv?.findings ?? [];
  if (first === undefined) return [];
  const message = others.length === 0 ? first : l10n.t("{0} More of {1} can't be imported.", first, place);
  return [finding('info', message, 'secrets')];
}

function environmentFindings(input: PreflightInput): Finding[] {
  const { appConfig } = input;
  if (appConfig?.kind !== 'config' || appConfig.env.kind === 'none') {
    return [];
  }
  const place = appConfig.env.kind === 'file' ? appConfig.env.path : appConfig.path;
  const missing = missingEnvNames(input);
  if (missing === undefined) {
    return [
      finding(
        'info',
        l10n.t("The service doesn't read {0}. Add what the application needs as secrets.", place),
        'secrets',
      ),
    ];
  }
  const notes = environmentNotes(place, input);
  if (missing.length === 0) return notes;
  const message =
    missing.length === 1
      ? l10n.t(
          "The service doesn't read {0}. Add {1} as a secret, or the application runs without it.",
          place,
          ...missing,
        )
      : l10n.t(
          "The service doesn't read {0}. Add {1} as secrets, or the application runs without them.",
          place,
          firstNames(missing, 5),
        );
  return [{ ...finding('warning', message, 'secrets'), remedy: 'import' }, ...notes];
}
