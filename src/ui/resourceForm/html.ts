import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The folder of the extension from which the page may load its two files; nothing else can be loaded. */
export function resourceRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist');
}

/** The page of a form: one script by nonce and one style sheet, nothing inline, nothing from elsewhere. */
export function formHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const root = resourceRoot(extensionUri);
  const script = webview.asWebviewUri(vscode.Uri.joinPath(root, 'resourceForm.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(root, 'resourceForm.css')).toString();
  const nonce = randomBytes(16).toString('base64url');
  const language = vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
  return `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>Resources</title>
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}
