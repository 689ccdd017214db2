import * as vscode from 'vscode';
import { flavors, type Flavor, type FlavorName } from '../../api/flavor.ts';
import { correctTracingAddress } from '../../api/tracingAddress.ts';
import { normalizeBaseUrl, parseConnection, type ServiceConnection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Services } from '../services.ts';
import { isCancelled, messageOf, requestIdOf, UserError } from '../window/errors.ts';
import {
  askChoice,
  askStepChoice,
  askText,
  back,
  messageRows,
  runSteps,
  type Step,
  type StepAnswer,
  type StepPlace,
} from '../window/steps.ts';
import { unlessAborted } from '../window/waiting.ts';
import { diagnose } from './diagnosis.ts';
import { askConnectionName, changeConnection, plainHttpRisk } from './editConnection.ts';
import { askApiKey, replaceKey } from './keys.ts';
import { whileTesting } from './testConnection.ts';

interface Draft {
  flavor: FlavorName;
  baseUrl: string;
  name: string;
  apiKey: string;
  /** True only after the user's explicit consent. */
  allowPlainHttp: boolean;
  /** The workspace of an organization-scoped key; empty for any other key. */
  headers: Readonly<Record<string, string>>;
}

/** Adds a connection and selects it for this workspace once it works. */
export async function addConnection(services: Pick<Services, 'connections' | 'log'>): Promise<void> {
  const connection = await enterConnection(services);
  if (connection === undefined) return;
  const working = await mendUntilWorking(services, connection);
  if (working === undefined) return;
  await services.connections.select(working.name);
  await vscode.commands.executeCommand('deploymentManager.deployments.focus');
}

/**
 * Asks for a connection and stores it. This workspace keeps the connection that it uses.
 * Nothing is stored before the last step. Undefined if the user cancels.
 */
export async function enterConnection({
  connections,
}: Pick<Services, 'connections'>): Promise<ServiceConnection | undefined> {
  const draft: Draft = { flavor: 'standard', baseUrl: '', name: '', apiKey: '', allowPlainHttp: false, headers: {} };
  const questions = [askKind, askBaseUrl, askName, askKey];
  const steps = questions.map<Step>((ask) => (place) => ask(draft, { ...place, title: title() }, connections));
  if (!(await runSteps(steps))) return undefined;
  const connection = parseConnection(draft);
  if (connection.kind === 'problem') throw new UserError(connection.message);
  return (await store(connections, connection, draft.apiKey)) ? connection : undefined;
}

/** Stores a connection, as often as the user tries. False if they give up. */
async function store(connections: Connections, connection: ServiceConnection, apiKey: string): Promise<boolean> {
  for (;;) {
    try {
      await connections.save(connection, { apiKey });
      return true;
    } catch (error) {
      const again = { label: vscode.l10n.t('Try Again') };
      const placeholder = vscode.l10n.t('"{0}" couldn\'t be stored', connection.name);
      const items = [...messageRows(messageOf(error), 'error'), again];
      const choice = await askChoice({ title: title(), placeholder, items, active: again });
      if (choice === undefined) return false;
    }
  }
}

/**
 * Tests a new connection. If it doesn't work or isn't tested, the user can change it, as often as they like, or keep it.
 * Returns the working connection. Any other is removed, unless the user keeps it.
 */
async function mendUntilWorking(
  services: Pick<Services, 'connections' | 'log'>,
  added: ServiceConnection,
): Promise<ServiceConnection | undefined> {
  const { connections, log } = services;
  let connection = added;
  for (;;) {
    try {
      await whileTesting(connections, connection, title(), async (session, signal) => {
        const client = await unlessAborted(session.client(), signal);
        await client.deployments.list({ limit: 1 }, { signal });
      });
      return connection;
    } catch (error) {
      log.error(`add connection ${connection.name}: ${messageOf(error)}${requestIdOf(error)}`);
      const answer = await mend(services, connection, error);
      if (answer === 'discard') await connections.remove(connection);
      if (answer === 'discard' || answer === 'keep') return undefined;
      connection = answer;
    }
  }
}

/** What becomes of a connection that doesn't work: it is tested once more, or the user leaves it. */
type Mended = ServiceConnection | 'keep' | 'discard';

interface MendItem extends vscode.QuickPickItem {
  /** Undefined if the list is shown again. */
  readonly mend?: () => PromiseLike<Mended | undefined>;
}

/** Shows why a connection doesn't work, with what may help. Escape discards it. */
async function mend(
  { connections, log }: Pick<Services, 'connections' | 'log'>,
  connection: ServiceConnection,
  error: unknown,
): Promise<Mended> {
  const { name } = connection;
  const edit: MendItem = {
    label: vscode.l10n.t('Edit Connection'),
    mend: async () => changeConnection(connections, connection),
  };
  const setKey: MendItem = {
    label: vscode.l10n.t('Set API Key'),
    mend: async () => ((await replaceKey(connections, connection)) ? connection : undefined),
  };
  const remedies = diagnose(error, name);
  const own = remedies[0]?.title === setKey.label ? [setKey, edit] : [edit, setKey];
  const others = [...remedies, { title: vscode.l10n.t('Show Log'), run: async () => log.show() }]
    .filter(({ title }) => own.every(({ label }) => label !== title))
    .map(({ title: label, run }): MendItem => ({ label, mend: async () => void (await run()) }));
  const again: MendItem = { label: vscode.l10n.t('Try Again'), mend: async () => connection };
  const keep: MendItem = { label: vscode.l10n.t('Keep Connection'), mend: async () => 'keep' };
  const isUntested = isCancelled(error);
  const items = isUntested
    ? [again, ...own, keep, ...others]
    : [...messageRows(messageOf(error), 'error'), ...own, again, keep, ...others];
  const placeholder = isUntested
    ? vscode.l10n.t('"{0}" wasn\'t tested. Press Escape to discard it', name)
    : vscode.l10n.t('"{0}" doesn\'t work. Press Escape to discard it', name);
  for (;;) {
    const active = isUntested ? again : own[0];
    const choice = await askChoice<MendItem>({ title: title(), placeholder, items, active });
    if (choice === undefined) return 'discard';
    const mended = await choice.mend?.();
    if (mended !== undefined) return mended;
  }
}

const title = (): string => vscode.l10n.t('Add Connection');

/** Asks for the kind of service: a known one or any other. */
async function askKind(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  const items: readonly (vscode.QuickPickItem & Pick<Draft, 'flavor' | 'baseUrl'>)[] = [
    {
      flavor: 'standard',
      baseUrl: '',
      label: vscode.l10n.t('$(plug) Deployment service'),
      description: vscode.l10n.t('any service with this API'),
    },
    ...flavors.langsmith.baseUrls.map((baseUrl) => ({
      flavor: 'langsmith' as const,
      baseUrl,
      label: vscode.l10n.t('$(cloud) LangSmith Deployment'),
      description: new URL(baseUrl).host,
    })),
    {
      flavor: 'langsmith',
      baseUrl: '',
      label: vscode.l10n.t('$(server) LangSmith Deployment, self-hosted'),
      description: 'https://HOST/api-host',
    },
  ];
  const choice = await askStepChoice({
    ...place,
    placeholder: vscode.l10n.t('Select the kind of service'),
    items,
    active: items.find(({ flavor, baseUrl }) => flavor === draft.flavor && baseUrl === draft.baseUrl),
  });
  if (choice === undefined || choice === back) return choice;
  draft.flavor = choice.flavor;
  if (choice.baseUrl !== '') draft.baseUrl = choice.baseUrl;
  return 'next';
}

async function askBaseUrl(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  for (;;) {
    const answer = await askText({
      ...place,
      prompt: vscode.l10n.t('The base URL of the deployment service.'),
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
    if (address === undefined) return undefined;
    draft.baseUrl = address;
    // Keep a name that the user typed when they go back and change the address.
    if (draft.name === '' || draft.name === suggested) draft.name = suggestedName(draft.baseUrl);
    const consent = await askPlainHttp(draft);
    if (consent !== back) return consent;
  }
}

/** Asks before a key is sent to another machine unencrypted; goes back if the user declines. */
async function askPlainHttp(draft: Draft): Promise<StepAnswer<'next'>> {
  const encrypted = normalizeBaseUrl(draft.baseUrl, false);
  draft.allowPlainHttp = false;
  if (typeof encrypted === 'string') return 'next';
  const other = { label: vscode.l10n.t('$(edit) Enter another base URL'), description: vscode.l10n.t('recommended') };
  const allow = {
    label: vscode.l10n.t('$(warning) Allow plain http for this connection'),
    detail: plainHttpRisk(),
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
async function offerCorrection(address: string, draft: Draft): Promise<string | undefined> {
  const corrected = correctTracingAddress(address);
  if (corrected === undefined) return address;
  const use = { label: vscode.l10n.t('$(check) Use {0}', corrected), description: vscode.l10n.t('recommended') };
  const keep = { label: vscode.l10n.t('Keep {0}', address) };
  const choice = await askChoice({
    title: title(),
    placeholder: vscode.l10n.t('This is the base URL of the tracing service, not of the deployments'),
    items: [use, keep],
  });
  if (choice === undefined) return undefined;
  if (choice === keep) return address;
  draft.flavor = 'langsmith';
  return corrected;
}

async function askName(draft: Draft, place: StepPlace, connections: Connections): Promise<StepAnswer<'next'>> {
  const name = await askConnectionName(place, draft.name, (text) => connections.isNameTaken(text));
  if (name === undefined || name === back) return name;
  draft.name = name;
  return 'next';
}

async function askKey(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  for (;;) {
    const key = await askApiKey(place, draft);
    if (key === undefined || key === back) return key;
    draft.apiKey = key;
    const workspace = await askWorkspaceId(draft, place);
    if (workspace !== back) return workspace;
  }
}

/** Asks for a workspace id, needed for a key of a whole organization. Not every service has such keys. */
async function askWorkspaceId(draft: Draft, place: StepPlace): Promise<StepAnswer<'next'>> {
  const { tenantHeader }: Flavor = flavors[draft.flavor];
  if (tenantHeader === undefined) return 'next';
  const answer = await askText({
    ...place,
    prompt: vscode.l10n.t('Only for organization-scoped keys. Leave empty for a key of one workspace.'),
    placeholder: vscode.l10n.t('Workspace ID'),
    problemOf: (text) =>
      /^[\x21-\x7e]*$/.test(text.trim())
        ? undefined
        : vscode.l10n.t('The ID contains a space or another invalid character. Copy it again.'),
  });
  if (answer === undefined || answer === back) return answer;
  if (answer.trim() !== '') draft.headers = { [tenantHeader]: answer.trim() };
  return 'next';
}
