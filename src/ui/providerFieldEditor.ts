import * as vscode from 'vscode';
import { providerFieldLabel, providerValueProblem, type ProviderField } from '../core/oauthProviderPatch.ts';
import { askChoice, askText, back } from './steps.ts';

/** What a person made of a field: a value, null to clear it, undefined to leave it as the service has it. */
export interface FieldEdit {
  readonly value: string | boolean | null | undefined;
}

interface EditItem extends vscode.QuickPickItem {
  readonly edit: () => Promise<FieldEdit | undefined>;
}

/** Edits one field of an OAuth provider; undefined when the person changed nothing. */
export async function editProviderField(
  field: ProviderField,
  value: string | boolean | null | undefined,
): Promise<FieldEdit | undefined> {
  const set = (label: string, chosen: FieldEdit['value']): EditItem => ({
    label,
    edit: async () => ({ value: chosen }),
  });
  const choice = await askChoice<EditItem>({
    title: providerFieldLabel(field),
    placeholder: vscode.l10n.t('What to do with this field'),
    items: [
      ...valueItems(field, value, set),
      set(vscode.l10n.t('$(clear-all) Clear It'), null),
      set(vscode.l10n.t('$(discard) Leave It Unchanged'), undefined),
    ],
  });
  return choice === undefined || choice === back ? undefined : choice.edit();
}

function valueItems(
  field: ProviderField,
  value: string | boolean | null | undefined,
  set: (label: string, chosen: FieldEdit['value']) => EditItem,
): readonly EditItem[] {
  const type: EditItem = {
    label: vscode.l10n.t('$(edit) Enter a Value…'),
    edit: async () => typeValue(field, typeof value === 'string' ? value : ''),
  };
  if (field === 'uses_pkce') return [set(vscode.l10n.t('Yes'), true), set(vscode.l10n.t('No'), false)];
  // The two methods of the PKCE standard; a service may know others.
  if (field === 'code_challenge_method') return [set('S256', 'S256'), set('plain', 'plain'), type];
  return [type];
}

async function typeValue(field: ProviderField, value: string): Promise<FieldEdit | undefined> {
  const isSecret = field === 'client_secret';
  const answer = await askText({
    title: vscode.l10n.t('New Value of {0}', providerFieldLabel(field)),
    prompt: isSecret
      ? vscode.l10n.t('Sent once to the service and forgotten then.')
      : vscode.l10n.t('The new value of this field.'),
    placeholder: providerFieldLabel(field),
    // A secret that was typed before is not put on the screen again, not even masked.
    value: isSecret ? '' : value,
    password: isSecret,
    problemOf: (text) => providerValueProblem(field, text),
  });
  if (answer === undefined || answer === back) return undefined;
  return { value: isSecret ? answer : answer.trim() };
}
