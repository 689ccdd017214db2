import * as vscode from 'vscode';
import { parseConnection, type ServiceConnection } from '../../state/connection.ts';
import { proxyPasswordSlot } from '../../state/secrets.ts';
import { chooseServiceConnection } from '../prompts.ts';
import type { Services } from '../services.ts';
import { askChoice, askText, back } from '../steps.ts';
import { connectionNameProblem } from './addConnection.ts';

type Field = Exclude<keyof ServiceConnection, 'kind'>;

/** A connection's fields as texts, in the order in which they are shown. */
const fields = {
  name: () => vscode.l10n.t('Name'),
  baseUrl: () => vscode.l10n.t('Address'),
  flavor: () => vscode.l10n.t('Flavor (standard or langsmith)'),
  codeHost: () => vscode.l10n.t('Word for the code host'),
  authHeader: () => vscode.l10n.t('Header that carries the key'),
  authPrefix: () => vscode.l10n.t('Word before the key, such as Bearer'),
  headers: () => vscode.l10n.t('Further headers, as JSON'),
  allowPlainHttp: () => vscode.l10n.t('Allow plain http (true or false)'),
  proxy: () => vscode.l10n.t('Proxy'),
  caFile: () => vscode.l10n.t('File of further certificate authorities'),
  clientCertFile: () => vscode.l10n.t('File of the client certificate'),
  clientKeyFile: () => vscode.l10n.t("File of the client certificate's key"),
} satisfies Record<Field, () => string>;

interface FieldItem extends vscode.QuickPickItem {
  readonly edit?: () => Promise<ServiceConnection | undefined>;
}

/**
 * Changes a connection field by field. Each change is checked as a whole before it is kept, and stored when the person
 * is done. A changed address needs a new key: the old one is never sent to another service.
 */
export async function editConnection({ connections, secrets }: Services): Promise<void> {
  const original = await chooseServiceConnection(connections, vscode.l10n.t('Edit Connection'));
  if (original === undefined) return;
  let edited = original;
  for (;;) {
    const current = edited;
    const isTaken = (name: string): boolean => name !== original.name && connections.find(name) !== undefined;
    const save: FieldItem = { label: vscode.l10n.t('$(check) Save') };
    const choice = await askChoice<FieldItem>({
      title: vscode.l10n.t('Edit Connection {0}', original.name),
      placeholder: vscode.l10n.t('Select what you want to change'),
      items: [
        save,
        ...fieldNames().map((field) => ({
          label: fields[field](),
          description: textOf(current, field),
          edit: async () => editField(current, field, isTaken),
        })),
        {
          label: vscode.l10n.t('Proxy password'),
          description: current.proxy === undefined ? vscode.l10n.t('needs a proxy') : '',
          edit: async () => editProxyPassword(current, secrets),
        },
      ],
    });
    if (choice === undefined || choice === back) return;
    if (choice === save) break;
    edited = (await choice.edit?.()) ?? edited;
  }
  await connections.save(edited, undefined, original);
  const { session } = connections;
  if (session.kind !== 'none' && session.connection.name === original.name) await connections.select(edited.name);
  else await connections.reload();
}

async function editField(
  connection: ServiceConnection,
  field: Field,
  isTaken: (name: string) => boolean,
): Promise<ServiceConnection | undefined> {
  const answer = await askText({
    title: fields[field](),
    prompt:
      field === 'baseUrl'
        ? vscode.l10n.t('With another address the API key is asked for again.')
        : vscode.l10n.t('Leave empty for the default.'),
    placeholder: fields[field](),
    value: textOf(connection, field),
    problemOf: (text) => {
      const nameProblem = field === 'name' ? connectionNameProblem(text.trim(), isTaken) : undefined;
      const parsed = withText(connection, field, text.trim());
      return nameProblem ?? (parsed.kind === 'problem' ? parsed.message : undefined);
    },
  });
  if (answer === undefined || answer === back) return undefined;
  const parsed = withText(connection, field, answer.trim());
  return parsed.kind === 'problem' ? undefined : parsed;
}

async function editProxyPassword(connection: ServiceConnection, secrets: Services['secrets']): Promise<undefined> {
  if (connection.proxy === undefined) return;
  const answer = await askText({
    title: vscode.l10n.t('Proxy password'),
    prompt: vscode.l10n.t('User and password as user:password. Kept encrypted on this machine; empty removes it.'),
    placeholder: 'user:password',
    password: true,
  });
  if (answer === undefined || answer === back) return;
  if (answer === '') await secrets.delete(proxyPasswordSlot(connection));
  else await secrets.store(proxyPasswordSlot(connection), answer);
}

function fieldNames(): readonly Field[] {
  const isField = (name: string): name is Field => name in fields;
  return Object.keys(fields).filter(isField);
}

function textOf(connection: ServiceConnection, field: Field): string {
  const value = connection[field];
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The connection with a field replaced, checked as the setting itself is. */
function withText(connection: ServiceConnection, field: Field, text: string): ReturnType<typeof parseConnection> {
  const { kind: _kind, [field]: _old, ...others } = connection;
  if (text === '') return parseConnection(others);
  if (field === 'headers') {
    try {
      const headers: unknown = JSON.parse(text);
      return parseConnection({ ...others, headers });
    } catch {
      return {
        kind: 'problem',
        name: connection.name,
        message: vscode.l10n.t('Write the headers as JSON, such as {"X-Tenant-Id": "…"}.'),
      };
    }
  }
  return parseConnection({ ...others, [field]: field === 'allowPlainHttp' ? text === 'true' : text });
}
