import * as l10n from '@vscode/l10n';
import { readHostMessage } from '../protocol.ts';
import type { FormAction, FormMessage, FormState, HostMessage, ReplyMessage, SetupMessage } from '../protocol.ts';
import { keepFocus } from './dom.ts';
import './form.css';
import { formPage } from './formPage.ts';
import type { FormPage } from './formPage.ts';

/** The API that VS Code gives to the page of a webview. */
interface VsCodeApi {
  readonly postMessage: (message: FormMessage) => void;
  readonly setState: (state: { readonly id: string }) => void;
}

declare function acquireVsCodeApi(): VsCodeApi;

start(acquireVsCodeApi());

/** Listens to the panel's messages and creates the form from "setup". */
function start({ postMessage: tell, setState }: VsCodeApi): void {
  const waiting = new Map<number, (reply: ReplyMessage) => void>();
  let page: FormPage | undefined;
  let lastId = 0;

  const request = (action: FormAction, text: string): Promise<ReplyMessage> =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      tell({ type: 'request', id: lastId, action, text });
    });

  const keep = (state: FormState): void => tell({ type: 'state', state });

  const setUp = ({ id, translations, state }: SetupMessage): void => {
    setState({ id });
    l10n.config({ contents: translations });
    const made = formPage({ request, keep }, state);
    page = made;
    document.body.replaceChildren(made.node);
    window.scrollTo(0, state.scroll);
    requestAnimationFrame(() => tell({ type: 'painted' }));
  };

  const receive = (message: HostMessage): void => {
    switch (message.type) {
      case 'setup':
        return setUp(message);
      case 'replace':
        return page?.replaceText(message.text, message.from);
      case 'context':
        return page?.setContext(message.context);
      case 'save':
        return page?.save();
      case 'reply':
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
    }
  };

  window.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
    const message = origin === window.origin ? readHostMessage(data) : undefined;
    if (message !== undefined) receive(message);
  });
  window.addEventListener('scrollend', () => page?.rememberScroll(window.scrollY));
  keepFocus();
  tell({ type: 'ready' });
}
