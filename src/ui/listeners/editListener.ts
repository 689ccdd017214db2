import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { Client } from '../../api/client.ts';
import type { Listener, ListenerPatch } from '../../api/resources/listeners.ts';
import { mayHaveWorked } from '../../api/resources/lookUp.ts';
import { listenerPatch, removedVersionProblem, usersWords } from '../../core/resources/listenerChanges.ts';
import { nameOfListener, namespacesOf } from '../../core/resources/listeners.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useCapability } from '../../state/connections/useCapability.ts';
import { deploymentsOn } from '../../state/lists/listenerUsers.ts';
import type { Services } from '../services.ts';
import { confirm, isCancelled, messageOf, resourceIsGone, showMessage } from '../window/errors.ts';
import { runSteps, type Step } from '../window/steps.ts';
import { mayHaveChangedWords, notSentWords, type Waiting, whileAsking, whileWaiting } from '../window/waiting.ts';
import { askNamespaces, askVersion, isListed, type ListenerChoices } from './listenerQuestions.ts';

type ListenerServices = Pick<Services, 'activity' | 'capabilities' | 'connections' | 'listeners' | 'views'>;

/** Changes the namespaces and the version of a listener. Sends only what differs, and keeps the input if that fails. */
export async function editListener(
  services: ListenerServices & Pick<Services, 'log'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Edit Listener');
  const listener = await readListener(services, session, title, argument);
  if (listener === undefined) return;
  const name = nameOfListener(listener);
  const { connection } = session;
  const draft: ListenerChoices = {
    namespaces: namespacesOf(listener),
    version: listener.version ?? '',
    failure: undefined,
  };
  const prompt = vscode.l10n.t(
    'The version of the listener. Press Enter to change {0} on {1}; nothing is installed in the cluster.',
    name,
    connection.name,
  );
  const steps: Step[] = [
    (place) => askNamespaces(draft, { ...place, title }),
    (place) => askVersion(draft, { ...place, title }, prompt, (version) => removedVersionProblem(listener, version)),
  ];
  const words = vscode.l10n.t('Changing {0} on {1}…', withoutIcons(name), withoutIcons(connection.name));
  for (let first = 0; await runSteps(steps, first); first = steps.length - 1) {
    const patch = listenerPatch(listener, draft);
    if (patch === undefined) {
      void showMessage('information', vscode.l10n.t('Nothing was sent, because {0} is already like this.', name));
      return;
    }
    try {
      await sendPatch(services, session, listener, patch, { title, words });
      return;
    } catch (error) {
      if (!mayPass(error)) throw error;
      services.log.error(`edit listener: ${messageOf(error)}`);
      draft.failure = vscode.l10n.t('{0} Press Enter to send it again.', failureWords(error, name));
    }
  }
}

/** Deletes a listener after a question that names what uses it. */
export async function deleteListener(
  services: ListenerServices,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Delete Listener');
  const listener = await readListener(services, session, title, argument);
  if (listener === undefined) return;
  const name = nameOfListener(listener);
  const connection = session.connection.name;
  const checking = vscode.l10n.t('Looking for deployments that use {0}…', withoutIcons(name));
  const users = await whileAsking(session, { title, words: checking }, (client, signal) =>
    deploymentsOn(client, listener.id, signal),
  );
  const detail = [
    usersWords(users),
    vscode.l10n.t('Only its registration is deleted. Nothing is uninstalled in the cluster.'),
  ].join('\n\n');
  if (!(await confirm(vscode.l10n.t('Delete the listener {0} from {1}?', name, connection), title, detail))) return;
  const words = vscode.l10n.t('Deleting {0} from {1}…', withoutIcons(name), withoutIcons(connection));
  await sendChange(services, session, listener, { title, words }, ({ listeners }, signal) =>
    listeners.remove(listener.id, { signal }),
  );
  if (isListed(services, session)) services.listeners.of().remove(listener.id);
  void services.activity.noteChange({ kind: 'listenerDeleted', connection, name, title: undefined });
}

async function sendPatch(
  services: ListenerServices,
  session: ReadySession,
  listener: Listener,
  patch: ListenerPatch,
  waiting: Waiting,
): Promise<void> {
  const changed = await sendChange(services, session, listener, waiting, ({ listeners }, signal) =>
    listeners.update(listener.id, patch, { signal }),
  );
  if (isListed(services, session)) services.listeners.of().put(changed);
  const { name: connection } = session.connection;
  const name = nameOfListener(changed);
  void services.activity.noteChange({ kind: 'listenerChanged', connection, name, title: undefined });
}

/**
 * The listener of a row as it is now, because another window may have changed it.
 * @throws {UserError} it no longer exists
 */
async function readListener(
  services: ListenerServices,
  session: ReadySession,
  title: string,
  argument: unknown,
): Promise<Listener | undefined> {
  const listed = services.views.listeners.listenerOf(argument);
  if (listed === undefined) return undefined;
  const name = nameOfListener(listed);
  const words = vscode.l10n.t('Loading {0}…', withoutIcons(name));
  const listener = await whileAsking(session, { title, words }, ({ listeners }, signal) =>
    listeners.find(listed.id, { signal }),
  );
  if (listener !== undefined) {
    if (isListed(services, session)) services.listeners.of().put(listener);
    return listener;
  }
  if (isListed(services, session)) services.listeners.of().remove(listed.id);
  throw resourceIsGone(name, session.connection.name);
}

/** Sends a change once. If it may have worked without an answer, the list is asked again, which reports its own errors. */
async function sendChange<T>(
  services: ListenerServices,
  session: ReadySession,
  { id: listenerId }: Listener,
  waiting: Waiting,
  send: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await whileWaiting(waiting, (signal) =>
      useCapability(services.capabilities, session, 'listenerEdit', { listenerId }, (client) => send(client, signal)),
    );
  } catch (error) {
    if (mayHaveWorked(error) && isListed(services, session)) void services.listeners.of().refresh();
    throw error;
  }
}

/** Whether other input, or the same later, may be accepted. */
function mayPass(error: unknown): boolean {
  return (
    isCancelled(error) || (error instanceof ApiError && !['notFound', 'unauthorized', 'forbidden'].includes(error.kind))
  );
}

function failureWords(error: unknown, name: string): string {
  if (!isCancelled(error)) return messageOf(error);
  return mayHaveWorked(error) ? mayHaveChangedWords(name) : notSentWords();
}
