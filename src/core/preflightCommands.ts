import * as l10n from '@vscode/l10n';
import type { Finding, PreflightInput } from './preflightInput.ts';

/** Looks at the install and build commands, which the public service runs for JavaScript applications only. */
export function commandFindings({ draft, appConfig }: PreflightInput): Finding[] {
  const commands = [
    { field: 'installCommand', text: draft.installCommand, name: l10n.t('install command') },
    { field: 'buildCommand', text: draft.buildCommand, name: l10n.t('build command') },
  ] as const;
  const findings: Finding[] = [];
  for (const { field, text, name } of commands) {
    if (text === undefined || text === '') {
      continue;
    }
    if (/["`\\\n\t|;$<>]|(?<!&)&(?!&)/.test(text)) {
      const message = l10n.t('The {0} has characters that services refuse: " ` \\ | ; $ < > or a single &.', name);
      findings.push({ severity: 'warning', field, message });
    }
    if (appConfig?.kind === 'config' && appConfig.language === 'python') {
      const message = l10n.t('The {0} may be ignored: it is meant for JavaScript applications.', name);
      findings.push({ severity: 'info', field, message });
    }
  }
  return findings;
}
