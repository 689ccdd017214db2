import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import type { OAuthProvider, OAuthProviderPatch } from '../../api/resources/oauthProviders.ts';
import {
  describeProviderChange,
  describeProviderRefusal,
  describeProviderResult,
  providerFieldLabel,
  providerFields,
  providerValueProblem,
  type ProviderField,
  withProviderChange,
} from '../../core/resources/oauthProvider.ts';
import { formatClock } from '../../core/status/duration.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { useCapability } from '../../state/connections/useCapability.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import type { Services } from '../services.ts';
import { commentedText } from '../documents/documentText.ts';
import { isCancelled, messageOf, requestIdOf } from '../window/errors.ts';
import { askChoice, askText, back, messageRows } from '../window/steps.ts';
import { notSentWords, whileAsking, whileWaiting } from '../window/waiting.ts';

type FieldValue = OAuthProviderPatch[ProviderField];

interface FormItem extends vscode.QuickPickItem {
  /** Asks for a new value and returns the changed patch; undefined if the user cancels. */
  readonly edit?: () => Promise<OAuthProviderPatch | undefined>;
  readonly sends?: boolean;
}

/** Edits one field of an OAuth provider; undefined if the user cancels. */
async function editProviderField(
  patch: OAuthProviderPatch,
  field: ProviderField,
): Promise<OAuthProviderPatch | undefined> {
  const set = (label: string, value: FieldValue): FormItem => ({
    label,
    edit: async () => withProviderChange(patch, field, value),
  });
  const type: FormItem = {
    label: vscode.l10n.t('$(edit) Enter a Value…'),
    edit: async () => {
      const value = await typeValue(field, patch[field]);
      return value === undefined ? undefined : withProviderChange(patch, field, value);
    },
  };
  const valueItems = (): readonly FormItem[] => {
    if (field === 'uses_pkce') return [set(vscode.l10n.t('Yes'), true), set(vscode.l10n.t('No'), false)];
    // The two methods of the PKCE standard; a service may support others.
    if (field === 'code_challenge_method') return [set('S256', 'S256'), set('plain', 'plain'), type];
    return [type];
  };
  const choice = await askChoice<FormItem>({
    title: providerFieldLabel(field),
    placeholder: vscode.l10n.t('Select an action for this field'),
    items: [
      ...valueItems(),
      set(vscode.l10n.t('$(clear-all) Clear It'), null),
      set(vscode.l10n.t('$(discard) Leave It Unchanged'), undefined),
    ],
  });
  return choice?.edit?.();
}

async function typeValue(field: ProviderField, value: FieldValue): Promise<string | undefined> {
  const isSecret = field === 'client_secret';
  const answer = await askText({
    title: vscode.l10n.t('New Value of {0}', providerFieldLabel(field)),
    prompt: isSecret ? vscode.l10n.t('Sent once, then discarded.') : vscode.l10n.t('The new value of this field.'),
    placeholder: providerFieldLabel(field),
    // Don't show a secret that was entered before, not even masked.
    value: isSecret || typeof value !== 'string' ? '' : value,
    password: isSecret,
    problemOf: (text) => providerValueProblem(field, isSecret ? text : text.trim()),
  });
  if (typeof answer !== 'string') return undefined;
  return isSecret ? answer : answer.trim();
}

/**
 * Edits an OAuth provider field by field, sends only the changed fields, and shows the answer in a document.
 * The API can't read a provider, so the form starts empty. The client secret is masked and not stored. A rejected or
 * canceled request keeps the entered changes.
 */
export async function updateOAuthProvider(
  services: Pick<Services, 'activity' | 'capabilities' | 'clock' | 'documents' | 'log' | 'views'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const { name: connection } = session.connection;
  const suggested = services.views.agents.connectionOf(argument)?.provider_id ?? '';
  const providerId = await chooseProvider(services, session, suggested);
  if (providerId === undefined) return;
  let patch: OAuthProviderPatch = {};
  let refusal: string | undefined;
  const title = vscode.l10n.t('Update OAuth Provider {0}', providerId);
  const words = vscode.l10n.t('Sending the changes to {0}…', withoutIcons(connection));
  for (;;) {
    const choice = await askChoice<FormItem>({
      title,
      placeholder: vscode.l10n.t('Select a field to change; the others stay as they are'),
      items: itemsOf(connection, patch, refusal),
    });
    if (choice === undefined) return;
    patch = (await choice.edit?.()) ?? patch;
    if (choice.sends !== true) continue;
    const sending = whileAsking(session, { title, words }, ({ oauthProviders }, signal) =>
      oauthProviders.update(providerId, patch, { signal }),
    );
    const provider = await sending.catch((error: unknown) => {
      services.log.error(`update OAuth provider: ${messageOf(error)}${requestIdOf(error)}`);
      refusal = isCancelled(error) ? cancelledWords(error) : refusalWords(error);
    });
    if (provider === undefined) continue;
    const change = { connection, name: nameOfProvider(provider), title: undefined };
    void services.activity.noteChange({ kind: 'providerChanged', ...change });
    return showAnswer(services, connection, patch, provider);
  }
}

/** Shows an answer, and what it says of each field. Holds no secret. */
async function showAnswer(
  { documents, clock }: Pick<Services, 'documents' | 'clock'>,
  connection: string,
  patch: OAuthProviderPatch,
  provider: OAuthProvider,
): Promise<void> {
  const asked = vscode.l10n.t("The service's answer at {0}, which can't be requested again.", formatClock(clock.now()));
  const changes = providerFields.map((field) =>
    vscode.l10n.t('{0}: {1}', providerFieldLabel(field), describeProviderResult(patch, provider, field)),
  );
  const text = commentedText(vscode.l10n.t('OAuth provider'), connection, [asked, ...changes], provider);
  const title = vscode.l10n.t('OAuth provider {0}', nameOfProvider(provider));
  await documents.showText(`${connection}/${title.replaceAll('/', '-')}`, text, 'yaml');
}

interface ProviderItem extends vscode.QuickPickItem {
  /** Undefined for the item that asks for another provider's ID. */
  readonly id?: string;
}

/** Chooses a provider from the service's list, or asks for its ID where there is no list. */
async function chooseProvider(
  services: Pick<Services, 'capabilities' | 'log'>,
  session: ReadySession,
  suggested: string,
): Promise<string | undefined> {
  const { name: connection } = session.connection;
  const providers = await listProviders(services, session);
  if (providers.length === 0) return askProviderId(connection, suggested);
  const listed = providers.map((provider): ProviderItem & { readonly id: string } => ({
    id: provider.provider_id ?? provider.id,
    label: withoutIcons(nameOfProvider(provider)),
    description: withoutIcons(provider.provider_id ?? provider.id),
  }));
  const choice = await askChoice<ProviderItem>({
    title: updateTitle(),
    placeholder: vscode.l10n.t('Select an OAuth provider of {0}', withoutIcons(connection)),
    items: [...listed, { label: vscode.l10n.t('$(edit) Enter the ID of Another Provider…') }],
    active: listed.find(({ id }) => id === suggested),
  });
  return choice === undefined || choice.id !== undefined ? choice?.id : askProviderId(connection, suggested);
}

/** The service's providers; none where it has no list. A list that can't be loaded is logged, because an ID is enough. */
async function listProviders(
  services: Pick<Services, 'capabilities' | 'log'>,
  session: ReadySession,
): Promise<readonly OAuthProvider[]> {
  const { capabilities, log } = services;
  if (!capabilities.has(session.connection, 'providerList')) return [];
  const words = vscode.l10n.t('Loading the OAuth providers of {0}…', withoutIcons(session.connection.name));
  try {
    return await whileWaiting({ title: updateTitle(), words }, async (signal) =>
      useCapability(capabilities, session, 'providerList', undefined, async ({ oauthProviders }) =>
        readableEntries(await oauthProviders.list({ signal })),
      ),
    );
  } catch (error) {
    if (isCancelled(error)) throw error;
    log.warn(`list OAuth providers: ${messageOf(error)}${requestIdOf(error)}`);
    return [];
  }
}

const updateTitle = (): string => vscode.l10n.t('Update OAuth Provider');

function nameOfProvider({ name, id }: OAuthProvider): string {
  return name === '' ? id : name;
}

async function askProviderId(connection: string, suggested: string): Promise<string | undefined> {
  const answer = await askText({
    title: updateTitle(),
    prompt: vscode.l10n.t('The ID of an OAuth provider of "{0}".', connection),
    placeholder: vscode.l10n.t('Provider ID'),
    value: suggested,
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the ID of an OAuth provider.') : undefined),
  });
  return answer === back ? undefined : answer?.trim();
}

function refusalWords(error: unknown): string {
  const fields = error instanceof ApiError ? error.fields : undefined;
  return describeProviderRefusal(messageOf(error), fields) + requestIdOf(error);
}

function cancelledWords(error: unknown): string {
  return error instanceof ApiError && error.sent
    ? vscode.l10n.t('The request was cancelled, but the service may have applied the changes.')
    : notSentWords();
}

function itemsOf(connection: string, patch: OAuthProviderPatch, refusal: string | undefined): FormItem[] {
  const changes = Object.keys(patch).length;
  const send: FormItem = {
    label:
      changes === 1
        ? vscode.l10n.t('$(check) Send 1 Change to {0}', withoutIcons(connection))
        : vscode.l10n.t('$(check) Send {0} Changes to {1}', changes, withoutIcons(connection)),
    sends: true,
    alwaysShow: true,
  };
  return [
    ...(refusal === undefined ? [] : messageRows(refusal, 'warning')),
    ...(changes === 0 ? [] : [send]),
    ...providerFields.map((field) => ({
      label: providerFieldLabel(field),
      description: withoutIcons(describeProviderChange(patch, field)),
      edit: () => editProviderField(patch, field),
    })),
  ];
}
