import * as vscode from 'vscode';
import { run, until } from './window.ts';

/** What the panel of a resource form answers to its page. */
interface Reply {
  readonly type: 'reply';
  readonly id: string;
  readonly failed: boolean;
  readonly message: string;
}

/**
 * Opens a resource form and gives a function that asks its panel for something, as the buttons of its page do. What the
 * page makes of the answer is tested in a browser.
 */
export async function openForm(): Promise<(action: string) => Promise<Reply>> {
  const replies: Reply[] = [];
  let tell: ((message: unknown) => unknown) | undefined;
  const { createWebviewPanel } = vscode.window;
  const watched: typeof createWebviewPanel = (...parameters) => {
    const panel = createWebviewPanel(...parameters);
    const { webview } = panel;
    const { onDidReceiveMessage } = webview;
    const post = webview.postMessage.bind(webview);
    Object.assign(webview, {
      onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
        tell = listener;
        return onDidReceiveMessage(listener);
      },
      postMessage: (message: Reply) => {
        if (message.type === 'reply') replies.push(message);
        return post(message);
      },
    });
    return panel;
  };
  Object.assign(vscode.window, { createWebviewPanel: watched });
  await run('editResourceSpec');
  Object.assign(vscode.window, { createWebviewPanel });
  return (action) => {
    const id = `test ${replies.length + 1}`;
    tell?.({ type: 'request', id, action, text: '' });
    return until(() => {
      const reply = replies.find((each) => each.id === id);
      if (reply === undefined) throw new Error(`The panel has not answered "${action}".`);
      return reply;
    });
  };
}
