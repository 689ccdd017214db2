import type * as vscode from 'vscode';
import { partsIn, readDeploymentFile } from '../../../core/draft/deploymentFile.ts';
import { fileFixes } from '../../../core/draft/deploymentFileFixes.ts';
import { deploymentFileSchema } from '../../../core/draft/deploymentFileSchema.ts';
import { cursorPlace, type CursorPlace } from '../../../core/yaml/cursor.ts';
import type { HelpedText } from '../../../core/yaml/suggestions.ts';
import { completionsIn, specHelp } from '../../resourceForm/language.ts';
import { completionsOf, hoverIn } from '../../window/schemaHelp.ts';
import type { ConnectionRules, FileHelp } from '../../window/fileHelp.ts';
import { shownFinding, type ShownFinding } from '../../window/diagnostics.ts';
import { reservedSecretNames } from '../../window/settings.ts';

/**
 * The help in deployment files, and in drafts.
 * @param isDraft whether a file is a draft
 */
export function deploymentFileHelp(isDraft: (uri: vscode.Uri) => boolean): FileHelp {
  return {
    findingsOf: (document, rules) => findingsOf(document, { ...rules, isDraft: isDraft(document.uri) }),
    hoverAt,
    completionsAt,
  };
}

/** What is wrong with the deployments of a file, at their places in it. */
function findingsOf(
  document: vscode.TextDocument,
  rules: ConnectionRules & { readonly isDraft: boolean },
): readonly ShownFinding[] {
  return readDeploymentFile(document.getText(), { ...rules, reservedNames: reservedSecretNames() }).flatMap(
    (deployment) => {
      const fixesOf = fileFixes(deployment);
      return deployment.findings.map((finding) => shownFinding(document, finding, () => fixesOf(finding)));
    },
  );
}

/** The help for the key under the mouse. */
function hoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const { start, helped, parents } = placeIn(document, position);
  if (parents.length === 1 && parents[0] === 'resources') return specHelp.hoverAt(document, position);
  return hoverIn(document, position, helped, start);
}

/** The keys and values that fit at the cursor; below `resources` those of a resource spec. */
function completionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const { start, helped, parents, ...place } = placeIn(document, position);
  const [first, ...below] = parents;
  if (first === 'resources') return completionsIn({ ...place, parents: below });
  return completionsOf(document, position, helped, start);
}

interface PlaceInFile extends CursorPlace {
  /** Where the deployment around the place begins. */
  readonly start: number;
  readonly helped: HelpedText;
}

function placeIn(document: vscode.TextDocument, position: vscode.Position): PlaceInFile {
  const offset = document.offsetAt(position);
  const { start = 0, text = '' } = partsIn(document.getText()).findLast((part) => part.start <= offset) ?? {};
  const line = position.line - document.positionAt(start).line;
  const helped = { text, isYaml: true, schema: deploymentFileSchema };
  return { ...cursorPlace(text.split(/\r?\n/), line, position.character), start, helped };
}
