import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { ListedListeners, Listener } from '../../api/resources/listeners.ts';
import { mayHaveWorked } from '../../api/resources/lookUp.ts';
import { nameOfListener } from '../../core/resources/listeners.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, showMessage } from '../window/errors.ts';
import { askStepChoice, askText, back, runSteps, type Step, type StepAnswer, type StepPlace } from '../window/steps.ts';
import { notSentWords, whileAsking } from '../window/waiting.ts';
import { askNamespaces, askVersion, isListed, type ListenerChoices } from './listenerQuestions.ts';

type RegistrationServices = Pick<Services, 'activity' | 'connections' | 'lateCreates' | 'listeners' | 'log'>;

interface Draft extends ListenerChoices {
  readonly connection: string;
  computeType: string;
  computeId: string;
  /** Clusters known to be registered; a workspace can have each one once. */
  readonly taken: Set<string>;
}

/**
 * Asks for a cluster and registers it; undefined if the user cancels.
 * The list gets the new row without a reload.
 * @param known the service's known listeners
 */
export async function registerListener(
  services: RegistrationServices,
  session: ReadySession,
  known: readonly Listener[],
): Promise<Listener | undefined> {
  const draft: Draft = {
    connection: session.connection.name,
    computeType: 'k8s',
    computeId: '',
    namespaces: [],
    version: '',
    taken: new Set(known.flatMap(({ compute_id: id }) => id ?? [])),
    failure: undefined,
  };
  const listener = await askUntilCreated(services, session, draft);
  if (listener === undefined) return undefined;
  if (isListed(services, session)) services.listeners.of().put(listener);
  const change = { connection: session.connection.name, name: nameOfListener(listener), title: undefined };
  void services.activity.noteChange({ kind: 'listenerCreated', ...change });
  return listener;
}

/** Loads the listeners to choose from. */
export async function loadListeners(session: ReadySession, title: string): Promise<ListedListeners> {
  const words = vscode.l10n.t('Loading the listeners of {0}…', withoutIcons(session.connection.name));
  return whileAsking(session, { title, words }, ({ listeners }, signal) => listeners.listToChoose({ signal }));
}

/** Asks and sends until the listener exists or the user cancels; a failed request loses no input. */
async function askUntilCreated(
  services: RegistrationServices,
  session: ReadySession,
  draft: Draft,
): Promise<Listener | undefined> {
  const questions = [askComputeType, askComputeId, askNamespaces, askVersionToRegister];
  const steps = questions.map<Step>((ask) => (place) => ask(draft, { ...place, title: title() }));
  let first = 0;
  for (;;) {
    if (!(await runSteps(steps, first))) return undefined;
    draft.failure = undefined;
    services.lateCreates.stop(`${draft.connection} listener ${draft.computeId}`);
    try {
      return await send(session, draft);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'conflict') {
        draft.taken.add(draft.computeId);
        first = 1;
      } else {
        services.log.error(`create listener: ${messageOf(error)}`);
        const reason = isCancelled(error) ? cancelledWords(draft, mayHaveWorked(error)) : messageOf(error);
        draft.failure = vscode.l10n.t('{0} Press Enter to send it again.', reason);
        first = steps.length - 1;
        // The listener may exist, so refresh the list; the list reports its own errors.
        if (mayHaveWorked(error) && isListed(services, session)) void services.listeners.of().refresh();
        if (mayHaveWorked(error)) void findLateListener(services, session, draft.computeId);
      }
    }
  }
}

/** Looks for a cluster whose registration got no answer, and says what was found. */
async function findLateListener(
  services: RegistrationServices,
  session: ReadySession,
  computeId: string,
): Promise<void> {
  const { name } = session.connection;
  const late = await services.lateCreates.find(`${name} listener ${computeId}`, session, async (client, signal) => {
    const { listeners } = await client.listeners.listToChoose({ signal });
    return listeners.find(({ compute_id: id }) => id === computeId);
  });
  if (late.kind === 'stopped') return;
  if (late.kind === 'found' && isListed(services, session)) services.listeners.of().put(late.found);
  const message =
    late.kind === 'found'
      ? vscode.l10n.t('The cluster {0} is now registered with {1}.', computeId, name)
      : vscode.l10n.t("{0} isn't listed on {1} 30 seconds after the request to register it.", computeId, name);
  void showMessage(late.kind === 'found' ? 'information' : 'warning', message);
}

async function send(session: ReadySession, draft: Draft): Promise<Listener> {
  const words = vscode.l10n.t(
    'Registering {0} with {1}…',
    withoutIcons(draft.computeId),
    withoutIcons(draft.connection),
  );
  const body = {
    compute_type: draft.computeType,
    compute_id: draft.computeId,
    ...(draft.namespaces.length === 0 ? {} : { compute_config: { k8s_namespaces: [...draft.namespaces] } }),
    ...(draft.version === '' ? {} : { version: draft.version }),
  };
  return whileAsking(session, { title: title(), words }, ({ listeners }, signal) => listeners.create(body, { signal }));
}

/** The message for a canceled request. Sending again is safe: the service rejects a registered cluster. */
function cancelledWords({ computeId }: Draft, mayExist: boolean): string {
  return mayExist
    ? vscode.l10n.t('The request was cancelled, but the service may have registered {0}.', computeId)
    : notSentWords();
}

const title = (): string => vscode.l10n.t('Create Listener');

async function askComputeType(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  const kubernetes = {
    label: vscode.l10n.t('$(server) Kubernetes'),
    description: 'k8s',
    detail: vscode.l10n.t('A cluster where a listener is installed, or will be.'),
  };
  const other = {
    label: vscode.l10n.t('$(edit) Another compute type…'),
    description: '',
    detail: vscode.l10n.t('Any other compute type that the service supports.'),
  };
  const choice = await askStepChoice({
    ...place,
    placeholder: vscode.l10n.t('Select the compute type to register with {0}', draft.connection),
    items: [kubernetes, other],
    active: draft.computeType === 'k8s' ? kubernetes : other,
  });
  if (choice === undefined || choice === back) return choice;
  if (choice === kubernetes) {
    draft.computeType = 'k8s';
    return 'next';
  }
  const answer = await askText({
    title: place.title,
    prompt: vscode.l10n.t("The service's name for the compute type."),
    placeholder: 'k8s',
    value: draft.computeType === 'k8s' ? '' : draft.computeType,
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the compute type.') : undefined),
  });
  if (typeof answer !== 'string') return answer;
  draft.computeType = answer.trim();
  return 'next';
}

async function askComputeId(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  const takenProblem = (id: string): string =>
    vscode.l10n.t('The cluster "{0}" is already registered. Use its listener, or enter the ID of another cluster.', id);
  const answer = await askText({
    ...place,
    prompt: draft.taken.has(draft.computeId)
      ? takenProblem(draft.computeId)
      : vscode.l10n.t('The ID of the cluster, as its listener reports it. Each cluster is registered once.'),
    placeholder: 'production-cluster',
    value: draft.computeId,
    problemOf: (text) => {
      const id = text.trim();
      if (id === '') return vscode.l10n.t('Enter the ID of the cluster.');
      return draft.taken.has(id) ? takenProblem(id) : undefined;
    },
  });
  if (typeof answer !== 'string') return answer;
  draft.computeId = answer.trim();
  return 'next';
}

async function askVersionToRegister(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  const prompt = vscode.l10n.t(
    'The version of the listener, if you know it. Press Enter to register {0} with {1}; nothing is installed in the cluster.',
    draft.computeId,
    draft.connection,
  );
  return askVersion(draft, place, prompt);
}

/** Registers a cluster with the service and shows its row. */
export async function createListener(
  services: RegistrationServices & Pick<Services, 'views'>,
  session: ReadySession,
): Promise<void> {
  const listener = await registerListener(services, session, readableEntries(services.listeners.of().state.entries));
  if (listener !== undefined && isListed(services, session)) {
    await services.views.listeners.reveal({ kind: 'listener', ids: [listener.id] });
  }
}
