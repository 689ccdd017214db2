import * as vscode from 'vscode';
import { fileTitle } from '../resourceForm/specFiles.ts';
import type { Services } from '../services.ts';

/** Opens the resource form: empty from the palette, and on a spec file from the menu of the file or of its editor. */
export async function editResourceSpec({ resourceForms }: Services, argument: unknown): Promise<void> {
  await resourceForms.open(
    argument instanceof vscode.Uri
      ? { title: fileTitle(argument), file: argument }
      : { title: vscode.l10n.t('Resources') },
  );
}
