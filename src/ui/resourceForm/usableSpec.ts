import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { resourceSpecWire, type ResourceSpec } from '../../api/schema/resourceSpec.ts';
import { checkSpec } from '../../core/spec/rules.ts';
import { readSpecText } from '../../core/spec/yaml/document.ts';
import { UserError } from '../window/errors.ts';

/**
 * Makes a typed spec of a text that came from a form. The form has checked it already; a form is not believed.
 * @throws {UserError} the text cannot be used as it is
 */
export function usableSpec(text: string, flavor: FlavorName): ResourceSpec {
  const document = readSpecText(text);
  if (document.kind === 'unreadable') throw new UserError(document.problems[0].message);
  const error = checkSpec(document.spec, flavor).find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new UserError(`${error.path.join('.')}: ${error.message}`);
  const parsed = resourceSpecWire.safeParse(document.spec);
  if (parsed.success) return parsed.data;
  throw new UserError(vscode.l10n.t('This resource spec does not have the shape that the service expects.'));
}
