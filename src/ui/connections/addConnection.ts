import * as vscode from 'vscode';
import { correctTracingAddress, flavors, resolveFlavor, type FlavorName } from '../../api/flavor.ts';
import {
  type Connection,
  localConnectionName,
  normalizeBaseUrl,
  parseConnection,
  type ServiceConnection,
} from '../../state/connections/connection.ts';
import type { ReadySession, Session } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { isCancelled, UserError } from '../window/errors.ts';
import { askChoice, askText, back, runSteps, type Step, type StepAnswer, type StepPlace } from '../window/steps.ts';
import { askApiKey } from './keys.ts';
import { showConnectionFailure } from './testConnection.ts';

interface Draft {
  flavor: FlavorName;
  baseUrl: string;
  name: string;
  apiKey: string;
  /** True only after the user's explicit consent. */
  allowPlainHttp: boolean;
  /** Empty if the key belongs to a single workspace of the service. */
  workspaceId: string;
}

/** Adds a connection and reports a failure to connect. */
export async function addConnection(services: Services): Promise<void> {
  const session = await enterConnection(services);
  if (session?.kind === 'ready') await tellFailure(services, session);
}

/** Asks for a connection and selects it for this workspace. Undefined if the user cancels. */
export async function enterConnection(services: Services): Promise<Session | undefined> {
  const entered = await askConnection(services);
  if (entered === undefined) return undefined;
  const { connection, apiKey } = entered;
  await services.connections.save(connection, { apiKey });
  const session = await services.connections.select(connection.name);
  await vscode.commands.executeCommand('deploymentManager.deployments.focus');
  return session;
}

/** Adds a connection, and this workspace keeps its own. Undefined if the user cancels. */
export async function addUnusedConnection(services: Services): Promise<Connection | undefined> {
  const entered = await askConnection(services);
  if (entered === undefined) return undefined;
  const { connections } = services;
  const { connection, apiKey } = entered;
  const session = await connections.current();
  // A workspace without a selection uses the only connection, so select that before there are two.
  if (session.kind !== 'none') await connections.select(session.connection.name);
  await connections.save(connection, { apiKey });
  return connection;
}

/** Asks for a connection and its key. Stores nothing. Undefined if the user cancels. */
async function askConnection(
  services: Services,
): Promise<{ readonly connection: ServiceConnection; readonly apiKey: string } | undefined> {
  const draft: Draft = {
    flavor: 'standard',
    baseUrl: '',
    name: '',
    apiKey: '',
    allowPlainHttp: false,
    workspaceId: '',
  };
  const done = await runSteps([askKind(draft), askBaseUrl(draft), askName(draft, services), askKey(draft)]);
  if (!done) return undefined;
  const { tenantHeader } = resolveFlavor(draft.flavor);
  const isTenantSent = tenantHeader !== undefined && draft.workspaceId !== '';
  const connection = parseConnection({
    ...draft,
    ...(isTenantSent ? { headers: { [tenantHeader]: draft.workspaceId } } : {}),
  });
  if (connection.kind === 'problem') throw new UserError(connection.message);
  return { connection, apiKey: draft.apiKey };
}

/**
 * Reports why a new connection doesn't work; a working one fills the view.
 * The row in the view has little space and offers a retry, which doesn't help against a typo.
 */
async function tellFailure({ connections, deployments, log }: Services, session: ReadySession): Promise<void> {
  await deployments.load();
  const { error } = deployments.state;
  if (connections.session !== session || error === undefined || isCancelled(error)) return;
  await showConnectionFailure(session.connection, error, log);
}

const title = (): string => vscode.l10n.t('Add Connection');

/** Asks for the kind of service: a known one or any other. */
function askKind(draft: Draft): Step {
  const hosted = flavors.langsmith.baseUrls.map((baseUrl) => ({
    flavor: 'langsmith' as const,
    baseUrl,
    label: vscode.l10n.t('$(cloud) LangSmith Deployment'),
    description: new URL(baseUrl).host,
  }));
  const selfHosted = {
    flavor: 'langsmith' as const,
    baseUrl: '',
    label: vscode.l10n.t('$(server) LangSmith Deployment, self-hosted'),
    description: 'https://HOST/api-host',
  };
  const other = {
    flavor: 'standard' as const,
    baseUrl: '',
    label: vscode.l10n.t('$(plug) Deployment service'),
    description: vscode.l10n.t('any service with this API'),
  };
  const items = [other, ...hosted, selfHosted];
  return async (place) => {
    const choice = await askChoice({
      ...place,
      title: title(),
      placeholder: vscode.l10n.t('Select the kind of service'),
      items,
      active: items.find(({ flavor, baseUrl }) => flavor === draft.flavor && baseUrl === draft.baseUrl),
    });
    if (choice === undefined || choice === back) return choice;
    draft.flavor = choice.flavor;
    if (choice.baseUrl !== '') draft.baseUrl = choice.baseUrl;
    return 'next';
  };
}

function askBaseUrl(draft: Draft): Step {
  return async (place) => {
    for (;;) {
      const answer = await askText({
        ...place,
        title: title(),
        prompt: vscode.l10n.t('The address of the deployment service.'),
        placeholder:
          draft.flavor === 'langsmith' ? 'https://langsmith.example.com/api-host' : 'https://deployments.example.com',
        value: draft.baseUrl,
        // Plain http is accepted here, because the next step asks for consent.
        problemOf: (text) => {
          const address = normalizeBaseUrl(text, true);
          return typeof address === 'string' ? undefined : address.message;
        },
      });
      if (answer === undefined || answer === back) return answer;
      const typed = normalizeBaseUrl(answer, true);
      if (typeof typed !== 'string') continue;
      const suggested = suggestedName(draft.baseUrl);
      const address = await offerCorrection(typed, draft);
      if (address === undefined || address === back) return address;
      draft.baseUrl = address;
      // Keep a name that the user typed when they go back and change the address.
      if (draft.name === '' || draft.name === suggested) draft.name = suggestedName(draft.baseUrl);
      const consent = await askPlainHttp(draft);
      if (consent !== back) return consent;
    }
  };
}

/** Asks before a key is sent to another machine unencrypted; goes back if the user declines. */
async function askPlainHttp(draft: Draft): Promise<StepAnswer<'next'>> {
  const encrypted = normalizeBaseUrl(draft.baseUrl, false);
  draft.allowPlainHttp = false;
  if (typeof encrypted === 'string') return 'next';
  const other = { label: vscode.l10n.t('$(edit) Enter another address'), description: vscode.l10n.t('recommended') };
  const allow = {
    label: vscode.l10n.t('$(warning) Allow plain http for this connection'),
    detail: vscode.l10n.t('Anyone on the network can read the API key and your deployments.'),
  };
  const choice = await askChoice({
    title: title(),
    placeholder: vscode.l10n.t('The API key would be sent to {0} without encryption', new URL(draft.baseUrl).host),
    items: [other, allow],
  });
  if (choice === undefined) return undefined;
  if (choice !== allow) return back;
  draft.allowPlainHttp = true;
  return 'next';
}

function suggestedName(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/**
 * Offers the deployment address if the user entered the tracing service's address.
 * The two look alike and both answer, but the tracing service has no deployments.
 */
async function offerCorrection(address: string, draft: Draft): Promise<StepAnswer<string>> {
  const corrected = correctTracingAddress(address);
  if (corrected === undefined) return address;
  const use = { label: vscode.l10n.t('$(check) Use {0}', corrected), description: vscode.l10n.t('recommended') };
  const keep = { label: vscode.l10n.t('Keep {0}', address) };
  const choice = await askChoice({
    title: title(),
    placeholder: vscode.l10n.t('This is the address of the tracing service, not of the deployments'),
    items: [use, keep],
  });
  if (choice === undefined || choice === back) return choice;
  if (choice === keep) return address;
  draft.flavor = 'langsmith';
  return corrected;
}

function askName(draft: Draft, { connections }: Services): Step {
  return async (place) => {
    const name = await askConnectionName({ ...place, title: title() }, draft.name, (text) =>
      connections.isNameTaken(text),
    );
    if (name === undefined || name === back) return name;
    draft.name = name;
    return 'next';
  };
}

/** Asks for a name that no other connection has. */
export async function askConnectionName(
  place: StepPlace,
  value: string,
  isTaken: (name: string) => boolean,
): Promise<StepAnswer<string>> {
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('A name for this connection. Every confirmation shows it.'),
    placeholder: vscode.l10n.t('Production'),
    value,
    problemOf: (text) => nameProblem(text.trim(), isTaken),
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

function nameProblem(name: string, isTaken: (name: string) => boolean): string | undefined {
  if (name === '') return vscode.l10n.t('Enter a name.');
  if (name === localConnectionName) {
    return vscode.l10n.t('The name "{0}" is reserved for the local service. Choose another name.', name);
  }
  return isTaken(name)
    ? vscode.l10n.t('A connection named "{0}" already exists. Choose another name.', name)
    : undefined;
}

function askKey(draft: Draft): Step {
  return async (place) => {
    for (;;) {
      const key = await askApiKey({ ...place, title: title() }, draft);
      if (key === undefined || key === back) return key;
      draft.apiKey = key;
      const workspace = await askWorkspaceId(draft, place);
      if (workspace !== back) return workspace;
    }
  };
}

/** Asks for a workspace id, needed for a key of a whole organization. Not every service has such keys. */
async function askWorkspaceId(draft: Draft, place: Parameters<Step>[0]): Promise<StepAnswer<'next'>> {
  if (resolveFlavor(draft.flavor).tenantHeader === undefined) return 'next';
  const answer = await askText({
    ...place,
    title: title(),
    prompt: vscode.l10n.t('Only for organization-scoped keys. Leave empty for a key of one workspace.'),
    placeholder: vscode.l10n.t('Workspace id'),
    value: draft.workspaceId,
    problemOf: (text) =>
      /^[\x21-\x7e]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('The id contains a space or another invalid character. Copy it again.'),
  });
  if (answer === undefined || answer === back) return answer;
  draft.workspaceId = answer.trim();
  return 'next';
}
