import * as vscode from 'vscode';
import { LeftReviews } from '../../../state/deploying/leftReviews.ts';
import type { Clock } from '../../../state/clock.ts';
import type { Parts } from '../../parts.ts';
import type { Services } from '../../services.ts';
import type { FileSubject } from '../file/filePlan.ts';
import type { TypedSecrets } from './pageSecrets.ts';

const pageType = 'deploymentManager.deployment';

interface PagesDependencies {
  readonly extensionUri: vscode.Uri;
  readonly clock: Pick<Clock, 'schedule'>;
  readonly services: () => Promise<Services>;
  readonly commands: Parts['commands'];
}

/** The pages of deployment files. */
export class DeploymentPages implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #dependencies: PagesDependencies;
  /** The secrets that were typed for a file whose page is closed. */
  readonly #left: LeftReviews<TypedSecrets>;
  /** The deployment to show in the page of a file that isn't open yet. */
  readonly #wanted = new Map<string, number>();
  readonly #show = new vscode.EventEmitter<FileSubject>();
  readonly #registration: vscode.Disposable;

  constructor(dependencies: PagesDependencies) {
    this.#dependencies = dependencies;
    this.#left = new LeftReviews(dependencies.clock);
    this.#registration = vscode.window.registerCustomEditorProvider(pageType, this, {
      webviewOptions: { enableFindWidget: true },
    });
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { extensionUri } = this.#dependencies;
    const [{ PageEditor }, services] = await Promise.all([
      this.#dependencies.commands(),
      this.#dependencies.services(),
    ]);
    const key = document.uri.toString();
    const typed: TypedSecrets = this.#left.take(key) ?? new Map();
    const page = new PageEditor({ document, panel, services, typed, first: this.#wanted.get(key) });
    this.#wanted.delete(key);
    const shows = this.#show.event(({ file, index }) => {
      if (index !== undefined && file.toString() === key) page.show(index);
    });
    panel.onDidDispose(() => {
      shows.dispose();
      if (typed.size > 0) this.#left.leave(key, typed);
    });
    page.serve(extensionUri);
  }

  /** Opens the page of a deployment file, and shows one of its deployments. */
  async open(subject: FileSubject): Promise<void> {
    const { file, index } = subject;
    if (index !== undefined) this.#wanted.set(file.toString(), index);
    await vscode.commands.executeCommand('vscode.openWith', file, pageType);
    this.#show.fire(subject);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#left.dispose();
    this.#show.dispose();
  }
}
