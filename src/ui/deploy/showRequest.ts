import * as vscode from 'vscode';
import { keyPlaceholder } from '../../api/http/http.ts';
import { createRequest } from '../../core/draft/createRequest.ts';
import { requestCurl, requestJson, requestText } from '../../core/draft/requestText.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { askChoice } from '../window/steps.ts';
import type { DeploymentPlan } from './plan.ts';

/**
 * Shows the request that creates a draft's deployment in a read-only document, and offers to copy it.
 * The client describes the request with the function that also sends it. The key and the values of secrets are masked.
 */
export async function showRequest(
  { documents }: Pick<Services, 'documents'>,
  session: ReadySession,
  plan: DeploymentPlan,
): Promise<void> {
  const { draft } = plan;
  const client = await session.client();
  const request = await client.deployments.describeCreate(createRequest(draft));
  const title = vscode.l10n.t('Create {0}', draft.name);
  await documents.showText(`${session.connection.name}/${title}`, requestText(request));
  const hasKey = Object.values(request.headers).some((value) => value.endsWith(keyPlaceholder));
  const copies = [
    { label: vscode.l10n.t('Copy as JSON'), detail: vscode.l10n.t('The body'), text: requestJson(request) },
    {
      label: vscode.l10n.t('Copy as curl'),
      detail: hasKey
        ? vscode.l10n.t('A command that takes the API key from the variable API_KEY')
        : vscode.l10n.t('A command for a shell'),
      text: requestCurl(request),
    },
  ];
  const choice = await askChoice<vscode.QuickPickItem & { readonly text?: string }>({
    review: plan,
    title: `${request.method} ${request.url}`,
    placeholder: vscode.l10n.t('The values of secrets are masked'),
    items: [...copies, { label: vscode.l10n.t('Back to Review') }],
  });
  if (choice === undefined || choice.text === undefined) return;
  await vscode.env.clipboard.writeText(choice.text);
}
