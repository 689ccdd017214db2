import { settlingMilliseconds } from '../../core/status/pollDelay.ts';
import type { Disposable } from '../../state/emitter.ts';
import { hasNoAnswer } from '../../state/following/poll.ts';
import type { Stores } from '../stores.ts';
import type { DocumentPlace, DocumentSubject } from '../window/documentPlace.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { askForResource, isOfDeployment, knownResource, type ResourceStores } from './documentResources.ts';
import { type Failure, OpenDocuments, type OpenDocumentsDependencies } from './openDocuments.ts';

export interface UpdatedFrom extends ResourceStores, Pick<Stores, 'poller' | 'clock'> {
  readonly connections: Pick<Stores['connections'], 'clientNamed' | 'onDidChange'>;
  readonly workspaceDrift: Pick<WorkspaceDrift, 'onDidChange'>;
}

/** The documents of resources, updated with the stores until they are disposed. */
export function updatedDocuments(
  sources: UpdatedFrom,
  editor: Pick<OpenDocumentsDependencies, 'write' | 'onChange'>,
): { readonly documents: OpenDocuments; readonly subscriptions: readonly Disposable[] } {
  const { connections, answers, deployments, listeners, repositories, agents, poller, clock, workspaceDrift } = sources;
  const documents = new OpenDocuments({
    ...editor,
    find: (subject) => knownResource(subject, sources),
    ask: async (subject, signal) => {
      const { connection, place } = subject;
      const client = await connections.clientNamed(connection);
      const at = clock.monotonic();
      const resource = await askForResource(sources, client, subject, { signal });
      if (isOfDeployment(place)) {
        if (resource !== undefined) return undefined;
        // A new one may not be listed yet, so others may still show it.
        answers.remove({ connection, deploymentId: place.ids[0], askedAt: at }, settlingMilliseconds);
      }
      return { resource, at };
    },
    clock,
    onShow: (shown, open) => {
      answers.hold('documents', open);
      poller.setShown(shown);
    },
  });
  /** Whether an answer about its deployment says that a document's own request may fail no longer. */
  const mayDiffer = ({ connection, place }: DocumentSubject, failure: Failure | undefined): boolean => {
    // An answer means that the service can be reached again.
    if (failure === undefined || hasNoAnswer(failure.error)) return true;
    const [deploymentId, revisionId] = place.ids;
    const { deployment, deploymentAt = -Infinity, revisionAt = -Infinity } = answers.observe(connection, deploymentId);
    // What failed may have been a poll of its latest revision, which has an answer now.
    if (revisionId === undefined && revisionAt > failure.at) return true;
    const { latest_revision_id: latest, active_revision_id: active } = deployment ?? {};
    return deploymentAt > failure.at && revisionId !== undefined && [latest, active].includes(revisionId);
  };
  const updateKinds = (...kinds: readonly DocumentPlace['kind'][]): void =>
    documents.update(({ place }) => kinds.includes(place.kind));
  const subscriptions = [
    answers.onDidChange(({ connection, deploymentIds }) => {
      const isMeant = (subject: DocumentSubject): boolean =>
        subject.connection === connection && isOfDeployment(subject.place) && deploymentIds.has(subject.place.ids[0]);
      documents.update(isMeant);
      void documents.retry((subject, failure) => isMeant(subject) && mayDiffer(subject, failure));
    }),
    answers.onDidDrop((connection) => documents.forget(connection)),
    // Reloading the list may have failed.
    deployments.onDidChange(({ kind }) => {
      if (kind === 'list') documents.update(({ place }) => isOfDeployment(place));
    }),
    workspaceDrift.onDidChange((id) => documents.update(({ place }) => place.ids[0] === id)),
    listeners.onDidChange(() => updateKinds('listener')),
    repositories.onDidChange(() => updateKinds('installation', 'repository')),
    agents.onDidChange(() => updateKinds('agentConnection')),
    poller.onDidFail(({ connection, deploymentId, revisionId, error, askedAt: at }) => {
      // That something isn't found is no failure where it is known to be gone.
      if (answers.goneAt(connection, deploymentId) !== undefined) return;
      documents.fail({ connection, deploymentId, revisionId }, { error, at });
    }),
    // The service may have been restarted, or the key set.
    connections.onDidChange(() => void documents.retry()),
    documents,
  ];
  return { documents, subscriptions };
}
