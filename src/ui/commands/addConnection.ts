import * as vscode from 'vscode';
import { localConnectionName, normalizeBaseUrl, parseConnection, type ServiceConnection } from '../../state/connection.ts';
import { apiKeyProblem } from '../prompts.ts';
import type { Services } from '../services.ts';
import { askText, back, runSteps, type Step } from '../steps.ts';
import { UserError } from '../errors.ts';

interface Draft {
  baseUrl: string;
  name: string;
  apiKey: string;
}

/** Adds a connection and binds this workspace to it; nothing is stored before the last step. */
export async function addConnection(services: Services): Promise<void> {
  const draft: Draft = { baseUrl: '', name: '', apiKey: '' };
  const done = await runSteps([askBaseUrl(draft), askName(draft, services), askKey(draft)]);
  if (!done) return;
  const connection = parseConnection(draft);
  if (connection.kind === 'problem') throw new UserError(connection.message);
  await services.connections.save(connection, draft.apiKey);
  await services.connections.select(connection.name);
  void announce(connection);
}

async function announce({ name }: ServiceConnection): Promise<void> {
  await vscode.commands.executeCommand('deploymentManager.deployments.focus');
  vscode.window.setStatusBarMessage(vscode.l10n.t('Connected to {0}', name), 5000);
}

const title = (): string => vscode.l10n.t('Add Connection');

function askBaseUrl(draft: Draft): Step {
  return async (place) => {
    const answer = await askText({
      ...place,
      title: title(),
      prompt: vscode.l10n.t('The address of the deployment service.'),
      placeholder: 'https://deployments.example.com',
      value: draft.baseUrl,
      problemOf: (text) => {
        const parsed = normalizeBaseUrl(text, false);
        return typeof parsed === 'string' ? undefined : parsed.message;
      },
    });
    if (answer === undefined || answer === back) return answer;
    const parsed = normalizeBaseUrl(answer, false);
    draft.baseUrl = typeof parsed === 'string' ? parsed : '';
    if (draft.name === '') draft.name = new URL(draft.baseUrl).host;
    return 'next';
  };
}

function askName(draft: Draft, { connections }: Services): Step {
  return async (place) => {
    const answer = await askText({
      ...place,
      title: title(),
      prompt: vscode.l10n.t('A name for this connection. Every confirmation will show it.'),
      placeholder: vscode.l10n.t('Production'),
      value: draft.name,
      problemOf: (text) => {
        if (text.trim() === '') return vscode.l10n.t('Enter a name.');
        if (text.trim() === localConnectionName) {
          return vscode.l10n.t(
            'The name "{0}" belongs to the embedded service. Choose another one.',
            localConnectionName,
          );
        }
        return connections.find(text.trim()) === undefined
          ? undefined
          : vscode.l10n.t('There is a connection called "{0}" already. Choose another name.', text.trim());
      },
    });
    if (answer === undefined || answer === back) return answer;
    draft.name = answer.trim();
    return 'next';
  };
}

function askKey(draft: Draft): Step {
  return async (place) => {
    const answer = await askText({
      ...place,
      title: title(),
      prompt: vscode.l10n.t('The API key. It is kept encrypted on this machine and sent to {0} only.', draft.baseUrl),
      placeholder: vscode.l10n.t('API key'),
      password: true,
      problemOf: apiKeyProblem,
    });
    if (answer === undefined || answer === back) return answer;
    draft.apiKey = answer.trim();
    return 'next';
  };
}
