import * as l10n from '@vscode/l10n';
import type { Fix } from '../spec/fixes.ts';
import type { ConfigFinding } from './appConfig.ts';

/** The corrections of a finding in a text: the known keys that look most like one that isn't known. */
export function configFixes(text: string, { start, end, meant = [] }: ConfigFinding): readonly Fix[] {
  const isQuoted = text[start] === '"';
  return meant.map((name) => ({
    title: l10n.t('Change to "{0}"', name),
    change: { start, end, text: isQuoted ? JSON.stringify(name) : name },
  }));
}
