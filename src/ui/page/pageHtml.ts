import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

interface Page {
  /** Of its script and its style sheet, without their endings. */
  readonly name: string;
  readonly title: string;
  /** What it shows at first, until it has talked to the extension; as JSON. Default: nothing. */
  readonly first?: unknown;
}

/**
 * Shows a page in a webview: one script of `dist` with a nonce, the one that it imports, and one style sheet; no other
 * script, inline or from elsewhere.
 */
export function showPage(webview: vscode.Webview, extension: vscode.Uri, { name, title, first = null }: Page): void {
  const root = vscode.Uri.joinPath(extension, 'dist');
  const uriOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString();
  const nonce = randomBytes(16).toString('base64url');
  const language = vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = `<!DOCTYPE html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${uriOf(`${name}.css`)}">
    <link rel="modulepreload" nonce="${nonce}" href="${uriOf('pages.js')}">
    <title>${title}</title>
  </head>
  <body>
    <script type="application/json" id="first">${JSON.stringify(first).replaceAll('<', '\\u003c')}</script>
    <script type="module" nonce="${nonce}" src="${uriOf(`${name}.js`)}"></script>
  </body>
</html>`;
}
