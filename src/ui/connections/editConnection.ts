import * as vscode from 'vscode';
import { localConnectionName, parseConnection, type ServiceConnection } from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Services } from '../services.ts';
import { messageOf } from '../window/errors.ts';
import { askChoice, askText, back, messageRows, type StepAnswer, type StepPlace } from '../window/steps.ts';
import { chooseServiceConnection } from './keys.ts';

type Field = Exclude<keyof ServiceConnection, 'kind'>;

/** Labels of a connection's fields, in display order. */
const fields = {
  name: () => vscode.l10n.t('Name'),
  baseUrl: () => vscode.l10n.t('Base URL'),
  flavor: () => vscode.l10n.t('Flavor'),
  codeHost: () => vscode.l10n.t("The service's name for the code host"),
  authHeader: () => vscode.l10n.t('Header for the API key'),
  authPrefix: () => vscode.l10n.t('Auth scheme, such as Bearer'),
  headers: () => vscode.l10n.t('Additional headers, as JSON'),
  allowPlainHttp: () => vscode.l10n.t('Allow plain http'),
  proxy: () => vscode.l10n.t('Proxy'),
  caFile: () => vscode.l10n.t('File with additional certificate authorities'),
  clientCertFile: () => vscode.l10n.t('Client certificate file'),
  clientKeyFile: () => vscode.l10n.t('Client certificate key file'),
} satisfies Record<Field, () => string>;

interface FieldChoice extends vscode.QuickPickItem {
  /** The field's value, as returned by `textOf`. */
  readonly text: string;
}

/** Values of the fields that the user selects; all other fields are typed. */
const choicesOf: Partial<Record<Field, () => readonly FieldChoice[]>> = {
  flavor: () => [
    { text: 'standard', label: 'standard', description: vscode.l10n.t('any service with this API') },
    { text: 'langsmith', label: 'langsmith', description: 'LangSmith Deployment' },
  ],
  allowPlainHttp: () => [
    { text: '', label: vscode.l10n.t('No'), description: vscode.l10n.t('recommended') },
    {
      text: 'true',
      label: vscode.l10n.t('Yes'),
      detail: vscode.l10n.t('Anyone on the network can read the API key and your deployments.'),
    },
  ],
};

/** The user's changes so far. */
interface Draft {
  readonly connection: ServiceConnection;
  /** A new proxy password; empty removes the old one. */
  readonly proxyPassword?: string;
}

interface FieldItem extends vscode.QuickPickItem {
  readonly edit?: () => Promise<Draft | undefined>;
}

/** Edits a connection. */
export async function editConnection({ connections }: Services, argument: unknown): Promise<void> {
  const original = await chooseServiceConnection(connections, vscode.l10n.t('Edit Connection'), argument);
  if (original !== undefined) await changeConnection(connections, original);
}

/**
 * Edits a connection field by field and stores all changes when the user saves.
 * Each change is validated with the whole connection. A changed address needs a new key, so the old key is never sent
 * to another service.
 * Returns the stored connection; undefined if the user cancels.
 */
export async function changeConnection(
  connections: Connections,
  original: ServiceConnection,
): Promise<ServiceConnection | undefined> {
  let draft: Draft = { connection: original };
  let failure: readonly FieldItem[] = [];
  for (;;) {
    const current = draft;
    const isTaken = (name: string): boolean => name !== original.name && connections.isNameTaken(name);
    const save: FieldItem = { label: vscode.l10n.t('$(check) Save') };
    const choice = await askChoice<FieldItem>({
      title: vscode.l10n.t('Edit Connection {0}', original.name),
      placeholder: vscode.l10n.t('Select a field to change'),
      active: save,
      items: [
        ...failure,
        save,
        ...fieldNames().map((field) => ({
          label: fields[field](),
          description: descriptionOf(current.connection, field),
          edit: async () => editField(current, field, isTaken),
        })),
        {
          label: vscode.l10n.t('Proxy password'),
          description: proxyPasswordState(current),
          edit: async () => editProxyPassword(current),
        },
      ],
    });
    if (choice === undefined) return undefined;
    if (choice !== save) {
      draft = (await choice.edit?.()) ?? draft;
      continue;
    }
    try {
      await connections.save(draft.connection, { proxyPassword: draft.proxyPassword }, original);
      return draft.connection;
    } catch (error) {
      failure = messageRows(messageOf(error), 'error');
    }
  }
}

async function editField(draft: Draft, field: Field, isTaken: (name: string) => boolean): Promise<Draft | undefined> {
  const { connection } = draft;
  const text = await askField(connection, field, isTaken);
  if (text === undefined || text === back) return undefined;
  const parsed = withText(connection, field, text);
  if (parsed.kind === 'problem') return undefined;
  // Never send a password that was typed for one proxy to another one.
  return field === 'proxy' ? { connection: parsed } : { ...draft, connection: parsed };
}

async function askField(
  connection: ServiceConnection,
  field: Field,
  isTaken: (name: string) => boolean,
): Promise<StepAnswer<string>> {
  const title = fields[field]();
  if (field === 'name') return askConnectionName({ title }, connection.name, isTaken);
  const choices = choicesOf[field]?.();
  if (choices !== undefined) return askFieldChoice(connection, field, choices);
  const answer = await askText({
    title,
    prompt:
      field === 'baseUrl'
        ? vscode.l10n.t('If the base URL changes, you enter the API key again.')
        : vscode.l10n.t('Leave empty for the default.'),
    placeholder: title,
    value: textOf(connection, field),
    problemOf: (text) => {
      const parsed = withText(connection, field, text.trim());
      return parsed.kind === 'problem' ? parsed.message : undefined;
    },
  });
  return typeof answer === 'string' ? answer.trim() : answer;
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

async function askFieldChoice(
  connection: ServiceConnection,
  field: Field,
  choices: readonly FieldChoice[],
): Promise<string | undefined> {
  let placeholder = fields[field]();
  for (;;) {
    const choice = await askChoice({
      title: fields[field](),
      placeholder,
      items: choices,
      active: choices.find(({ text }) => text === textOf(connection, field)),
    });
    if (choice === undefined) return undefined;
    if (withText(connection, field, choice.text).kind === 'service') return choice.text;
    // These fields depend on the address only, and the full message about it would be cut off here.
    placeholder = vscode.l10n.t('Not possible with the base URL {0}; change that first', connection.baseUrl);
  }
}

function proxyPasswordState({ connection, proxyPassword }: Draft): string {
  if (connection.proxy === undefined) return vscode.l10n.t('needs a proxy');
  if (proxyPassword === undefined) return '';
  return proxyPassword === '' ? vscode.l10n.t('will be removed') : vscode.l10n.t('will be replaced');
}

async function editProxyPassword(draft: Draft): Promise<Draft | undefined> {
  if (draft.connection.proxy === undefined) return undefined;
  const answer = await askText({
    title: vscode.l10n.t('Proxy password'),
    prompt: vscode.l10n.t(
      'User and password as user:password. Kept encrypted on this machine. Leave empty to remove it.',
    ),
    placeholder: 'user:password',
    password: true,
  });
  return answer === undefined || answer === back ? undefined : { ...draft, proxyPassword: answer };
}

function fieldNames(): readonly Field[] {
  const isField = (name: string): name is Field => name in fields;
  return Object.keys(fields).filter(isField);
}

function descriptionOf(connection: ServiceConnection, field: Field): string {
  // Headers are sent with each request and may be confidential, so show only their number.
  if (field === 'headers') return countOf(Object.keys(connection.headers ?? {}).length);
  const text = textOf(connection, field);
  return choicesOf[field]?.().find((choice) => choice.text === text)?.label ?? text;
}

function countOf(headers: number): string {
  if (headers === 0) return '';
  return headers === 1 ? vscode.l10n.t('1 header') : vscode.l10n.t('{0} headers', headers);
}

function textOf(connection: ServiceConnection, field: Field): string {
  const value = connection[field];
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The connection with one field replaced, validated like the setting. */
function withText(connection: ServiceConnection, field: Field, text: string): ReturnType<typeof parseConnection> {
  const { kind: _kind, [field]: _old, ...others } = connection;
  const parse = (item: object) => parseConnection(item, (name) => fields[name]());
  if (text === '') return parse(others);
  if (field === 'headers') {
    try {
      const headers: unknown = JSON.parse(text);
      return parse({ ...others, headers });
    } catch {
      return {
        kind: 'problem',
        name: connection.name,
        message: vscode.l10n.t('Enter the headers as JSON, such as {"X-Tenant-Id": "…"}.'),
      };
    }
  }
  return parse({ ...others, [field]: field === 'allowPlainHttp' ? text === 'true' : text });
}
