import * as vscode from 'vscode';
import { correctTracingAddress, flavors, type FlavorName } from '../../api/flavor.ts';
import { localConnectionName, normalizeBaseUrl, parseConnection } from '../../state/connection.ts';
import { UserError } from '../errors.ts';
import { apiKeyProblem } from '../prompts.ts';
import type { Services } from '../services.ts';
import { askChoice, askText, back, runSteps, type Step } from '../steps.ts';

interface Draft {
  flavor: FlavorName;
  baseUrl: string;
  name: string;
  apiKey: string;
}

/** Adds a connection and binds this workspace to it; nothing is stored before the last step. */
export async function addConnection(services: Services): Promise<void> {
  const draft: Draft = { flavor: 'standard', baseUrl: '', name: '', apiKey: '' };
  const done = await runSteps([askKind(draft), askBaseUrl(draft), askName(draft, services), askKey(draft)]);
  if (!done) return;
  const connection = parseConnection(draft);
  if (connection.kind === 'problem') throw new UserError(connection.message);
  await services.connections.save(connection, { apiKey: draft.apiKey });
  await services.connections.select(connection.name);
  await vscode.commands.executeCommand('deploymentManager.deployments.focus');
}

const title = (): string => vscode.l10n.t('Add Connection');

/** The services that are known by name, and any other one. */
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
    description: vscode.l10n.t('any service with this interface'),
  };
  const items = [other, ...hosted, selfHosted];
  return async (place) => {
    const choice = await askChoice({
      ...place,
      title: title(),
      placeholder: vscode.l10n.t('The kind of service'),
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
    const answer = await askText({
      ...place,
      title: title(),
      prompt: vscode.l10n.t('The address of the deployment service.'),
      placeholder:
        draft.flavor === 'langsmith' ? 'https://langsmith.example.com/api-host' : 'https://deployments.example.com',
      value: draft.baseUrl,
      problemOf: (text) => {
        const address = normalizeBaseUrl(text, false);
        return typeof address === 'string' ? undefined : address.message;
      },
    });
    if (answer === undefined || answer === back) return answer;
    const address = normalizeBaseUrl(answer, false);
    if (typeof address !== 'string') return 'next';
    const suggested = suggestedName(draft.baseUrl);
    draft.baseUrl = await offerCorrection(address, draft);
    // A name that the person typed stays when they go back and change the address.
    if (draft.name === '' || draft.name === suggested) draft.name = suggestedName(draft.baseUrl);
    return 'next';
  };
}

function suggestedName(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}

/** People paste the address of the tracing service, which looks alike and answers, but knows no deployments. */
async function offerCorrection(address: string, draft: Draft): Promise<string> {
  const corrected = correctTracingAddress(address);
  if (corrected === undefined) return address;
  const use = { label: vscode.l10n.t('$(check) Use {0}', corrected), description: vscode.l10n.t('recommended') };
  const keep = { label: vscode.l10n.t('Keep {0}', address) };
  const choice = await askChoice({
    title: title(),
    placeholder: vscode.l10n.t('This is the address of the tracing service; the deployments are elsewhere'),
    items: [use, keep],
  });
  if (choice !== use) return address;
  draft.flavor = 'langsmith';
  return corrected;
}

function askName(draft: Draft, { connections }: Services): Step {
  return async (place) => {
    const answer = await askText({
      ...place,
      title: title(),
      prompt: vscode.l10n.t('A name for this connection. Every confirmation will show it.'),
      placeholder: vscode.l10n.t('Production'),
      value: draft.name,
      problemOf: (text) => connectionNameProblem(text.trim(), (name) => connections.find(name) !== undefined),
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

/** Why a connection cannot have a name, in words. */
export function connectionNameProblem(name: string, isTaken: (name: string) => boolean): string | undefined {
  if (name === '') return vscode.l10n.t('Enter a name.');
  if (name === localConnectionName) {
    return vscode.l10n.t('The name "{0}" belongs to the embedded service. Choose another one.', name);
  }
  return isTaken(name)
    ? vscode.l10n.t('There is a connection called "{0}" already. Choose another name.', name)
    : undefined;
}
