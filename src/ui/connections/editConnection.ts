import * as vscode from 'vscode';
import {
  nameProblem,
  parseConnection,
  type ConnectionProblem,
  type ServiceConnection,
} from '../../state/connections/connection.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Services } from '../services.ts';
import { messageOf } from '../window/errors.ts';
import { askChoice, askText, messageRows, type StepAnswer, type StepPlace } from '../window/steps.ts';
import { chooseServiceConnection } from './keys.ts';

/** A connection with the user's changes so far. */
interface Draft extends ServiceConnection {
  /** A new proxy password; empty removes the old one. */
  readonly proxyPassword?: string;
}

type Field = Exclude<keyof Draft, 'kind'>;

const isField = (name: string): name is Field => name in fields;

interface FieldChoice extends vscode.QuickPickItem {
  /** The field's value, as returned by `textOf`. */
  readonly text: string;
}

/** What the form says of a field. One with choices is selected, any other is typed. */
interface FieldWords {
  readonly label: string;
  readonly prompt?: string;
  readonly choices?: readonly FieldChoice[];
}

/** A connection's fields, in display order. */
const fields: Readonly<Record<Field, () => FieldWords>> = {
  name: () => ({ label: vscode.l10n.t('Name') }),
  baseUrl: () => ({
    label: vscode.l10n.t('Base URL'),
    prompt: vscode.l10n.t('If the base URL changes, you enter the API key again.'),
  }),
  flavor: () => ({
    label: vscode.l10n.t('Flavor'),
    choices: [
      { text: 'standard', label: 'standard', description: vscode.l10n.t('any service with this API') },
      { text: 'langsmith', label: 'langsmith', description: 'LangSmith Deployment' },
    ],
  }),
  codeHost: () => ({ label: vscode.l10n.t("The service's name for the code host") }),
  authHeader: () => ({ label: vscode.l10n.t('Header for the API key') }),
  authPrefix: () => ({ label: vscode.l10n.t('Auth scheme, such as Bearer') }),
  headers: () => ({ label: vscode.l10n.t('Additional headers, as JSON') }),
  allowPlainHttp: () => ({
    label: vscode.l10n.t('Allow plain http'),
    choices: [
      { text: '', label: vscode.l10n.t('No'), description: vscode.l10n.t('recommended') },
      { text: 'true', label: vscode.l10n.t('Yes'), detail: plainHttpRisk() },
    ],
  }),
  proxy: () => ({ label: vscode.l10n.t('Proxy') }),
  proxyPassword: () => ({
    label: vscode.l10n.t('Proxy password'),
    prompt: vscode.l10n.t(
      'User and password as user:password. Kept encrypted on this machine. Leave empty to remove it.',
    ),
  }),
  caFile: () => ({ label: vscode.l10n.t('File with additional certificate authorities') }),
  clientCertFile: () => ({ label: vscode.l10n.t('Client certificate file') }),
  clientKeyFile: () => ({ label: vscode.l10n.t('Client certificate key file') }),
};

/** The first of the fields that most connections leave at their defaults. */
const firstAdvanced: Field = 'codeHost';

export function plainHttpRisk(): string {
  return vscode.l10n.t('Anyone on the network can read the API key and your deployments.');
}

export async function editConnection({ connections }: Pick<Services, 'connections'>, argument: unknown): Promise<void> {
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
  let draft: Draft = original;
  let failure: ReturnType<typeof messageRows> = [];
  const isTaken = (name: string): boolean => name !== original.name && connections.isNameTaken(name);
  for (;;) {
    const save = { label: vscode.l10n.t('$(check) Save') };
    const advanced = { label: vscode.l10n.t('Advanced'), kind: vscode.QuickPickItemKind.Separator };
    const items = Object.keys(fields)
      .filter(isField)
      .flatMap((field) => [
        ...(field === firstAdvanced ? [advanced] : []),
        { field, label: fields[field]().label, description: descriptionOf(draft, field) },
      ]);
    const choice = await askChoice<vscode.QuickPickItem & { readonly field?: Field }>({
      title: vscode.l10n.t('Edit Connection {0}', original.name),
      placeholder: vscode.l10n.t('Select a field to change'),
      active: save,
      items: [...failure, save, ...items],
    });
    if (choice === undefined) return undefined;
    if (choice.field !== undefined) draft = await editField(draft, choice.field, isTaken);
    if (choice !== save) continue;
    const { proxyPassword, ...connection } = draft;
    try {
      await connections.save(connection, { proxyPassword }, original);
      return connection;
    } catch (error) {
      failure = messageRows(messageOf(error), 'error');
    }
  }
}

/** The draft with the user's answer for one field, or unchanged without a usable one. */
async function editField(draft: Draft, field: Field, isTaken: (name: string) => boolean): Promise<Draft> {
  const isSecret = field === 'proxyPassword';
  if (isSecret && draft.proxy === undefined) return draft;
  const { label: title, prompt = vscode.l10n.t('Leave empty for the default.'), choices } = fields[field]();
  const question = {
    title,
    prompt,
    placeholder: isSecret ? 'user:password' : title,
    value: isSecret ? '' : textOf(draft, field),
    password: isSecret,
    problemOf: (text: string) => {
      const changed = withText(draft, field, text);
      return changed.kind === 'problem' ? changed.message : undefined;
    },
  };
  let answer: StepAnswer<string>;
  if (field === 'name') answer = await askConnectionName({ title }, draft.name, isTaken);
  else if (choices === undefined) answer = await askText(question);
  else answer = await askFieldChoice(draft, field, choices);
  const changed = typeof answer === 'string' ? withText(draft, field, answer) : draft;
  return changed.kind === 'problem' ? draft : changed;
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
    problemOf: (text) => {
      const name = text.trim();
      if (!isTaken(name)) return nameProblem(name);
      return vscode.l10n.t('A connection named "{0}" already exists. Choose another name.', name);
    },
  });
  return typeof answer === 'string' ? answer.trim() : answer;
}

async function askFieldChoice(draft: Draft, field: Field, items: readonly FieldChoice[]): Promise<string | undefined> {
  const title = fields[field]().label;
  const active = items.find(({ text }) => text === textOf(draft, field));
  for (let placeholder = title; ;) {
    const choice = await askChoice({ title, placeholder, items, active });
    if (choice === undefined || withText(draft, field, choice.text).kind === 'service') return choice?.text;
    // These fields depend on the address only, and the full message about it would be cut off here.
    placeholder = vscode.l10n.t('Not possible with the base URL {0}; change that first', draft.baseUrl);
  }
}

function descriptionOf(draft: Draft, field: Field): string {
  const { proxy, proxyPassword, headers = {} } = draft;
  if (field === 'proxyPassword') {
    if (proxy === undefined) return vscode.l10n.t('needs a proxy');
    if (proxyPassword === undefined) return '';
    return proxyPassword === '' ? vscode.l10n.t('will be removed') : vscode.l10n.t('will be replaced');
  }
  // Headers are sent with each request and may be confidential, so show only their number.
  const count = field === 'headers' ? Object.keys(headers).length : 0;
  if (count > 0) return count === 1 ? vscode.l10n.t('1 header') : vscode.l10n.t('{0} headers', count);
  const text = textOf(draft, field);
  return fields[field]().choices?.find((choice) => choice.text === text)?.label ?? text;
}

function textOf(draft: Draft, field: Field): string {
  const value = draft[field];
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The draft with one field replaced, validated like the setting. */
function withText(draft: Draft, field: Field, typed: string): Draft | ConnectionProblem {
  if (field === 'proxyPassword') return { ...draft, proxyPassword: typed };
  const text = typed.trim();
  const { proxyPassword, ...connection } = draft;
  let value: unknown = text === '' ? undefined : text;
  if (field === 'allowPlainHttp') value = text === 'true';
  if (field === 'headers' && text !== '') {
    try {
      value = JSON.parse(text);
    } catch {
      const message = vscode.l10n.t('Enter the headers as JSON, such as {"X-Tenant-Id": "…"}.');
      return { kind: 'problem', name: draft.name, message };
    }
  }
  const parsed = parseConnection({ ...connection, [field]: value }, (name) => fields[name]().label);
  // Never send a password that was typed for one proxy to another one.
  if (parsed.kind === 'problem' || field === 'proxy' || proxyPassword === undefined) return parsed;
  return { ...parsed, proxyPassword };
}
