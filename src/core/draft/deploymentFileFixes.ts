import * as l10n from '@vscode/l10n';
import { fixesOf, renames, valueFix, type Fix } from '../spec/fixes.ts';
import { readSpecText, type SpecDocument } from '../yaml/document.ts';
import { valueAt } from '../yaml/value.ts';
import type { FileDeployment, FileFinding } from './deploymentFile.ts';
import { secretOrigin } from './deploymentFileSchema.ts';

/** Finds the corrections of a deployment's findings, at their places in the file. Reads the text when first asked. */
export function fileFixes({ start, text }: FileDeployment): (finding: FileFinding) => readonly Fix[] {
  let document: SpecDocument | undefined;
  return (finding) => {
    document ??= readSpecText(text);
    return fixesIn(document, { ...finding, start: finding.start - start }).map(({ title, change }) => ({
      title,
      change: { ...change, start: change.start + start, end: change.end + start },
    }));
  };
}

/** The corrections of a finding that has its place in the text of its deployment. */
function fixesIn(document: SpecDocument, finding: FileFinding): readonly Fix[] {
  const { path, meant = [] } = finding;
  const [key, ...below] = path;
  if (document.kind === 'unreadable' || (key === 'resources' && below.length > 0)) {
    return fixesOf(document, finding, ['resources']);
  }
  if (key === 'secrets' && below.length > 0 && !secretOrigin.safeParse(valueAt(document.spec, path)).success) {
    return valueFix(document, path, l10n.t('Change to "{0}"', 'ask'), 'ask');
  }
  return renames(document, path, meant);
}
