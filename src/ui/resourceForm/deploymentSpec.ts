import * as vscode from 'vscode';
import { secretsIn } from '../../api/redaction/hideValues.ts';
import { isLastPage } from '../../api/resources/page.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { withoutHidden } from '../../core/draft/hiddenValues.ts';
import { specToText, toSpecMap } from '../../core/spec/specText.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import { chooseDeployment, type ChoiceServices } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { commandRemedy, UserError } from '../window/errors.ts';
import { chooseSpecFile, readSpecFile } from '../window/specFiles.ts';
import { nameOf } from '../window/specNames.ts';
import { askChoice } from '../window/steps.ts';
import { whileAsking } from '../window/waiting.ts';

/** Shows a deployment's resources in a read-only form. */
export async function showResourceSpec(
  services: ChoiceServices & Pick<Services, 'resourceForms'>,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Show Resources'));
  if (deployment === undefined) return;
  await services.resourceForms.show(deployment.name, deployment.source_config?.resource_spec);
}

/** The text of resources to start from, and what to tell of them. */
export interface StartingText {
  readonly text: string;
  readonly message: string;
}

/**
 * Lets the user pick a resource spec file to start from; undefined when they cancel.
 * @throws {UserError} the file is too large
 */
export async function chooseTextOfFile(): Promise<StartingText | undefined> {
  const uri = await chooseSpecFile('resource-spec', {
    title: vscode.l10n.t('Start from a File'),
    placeholder: vscode.l10n.t('Select a resource spec in this workspace'),
  });
  return uri && { text: await readSpecFile(uri), message: loadedWords(nameOf(uri)) };
}

function loadedWords(from: string): string {
  return vscode.l10n.t('Loaded from {0}.', from);
}

/**
 * Lets the user pick a deployment to start from; undefined when they cancel.
 * Offers the deployments that report their resources, from the first page of the service's list.
 * @returns its resources without values that may be secret, and whether any were left out
 * @throws {UserError} there is no connection, or no such deployment
 * @throws {ApiError} the service doesn't answer
 * @throws {vscode.CancellationError} the user stopped waiting
 */
export async function chooseTextOfDeployment(
  connections: Pick<Connections, 'current'>,
): Promise<StartingText | undefined> {
  const session = await connections.current();
  if (session.kind !== 'ready') {
    throw new UserError(vscode.l10n.t('Connect to a service first to choose from its deployments.'), [
      commandRemedy(vscode.l10n.t('Add Connection'), 'addConnection'),
    ]);
  }
  const connection = session.connection.name;
  const asked = { limit: MAX_PAGE_SIZE, offset: 0 };
  const title = vscode.l10n.t('Start from a Deployment');
  const words = vscode.l10n.t('Loading the deployments of {0}…', withoutIcons(connection));
  const page = await whileAsking(session, { title, words }, ({ deployments }, signal) =>
    deployments.list(asked, { signal }),
  );
  const isWhole = isLastPage(page, asked);
  const items = readableEntries(page.resources).flatMap(({ name, source_config: config }) =>
    config?.resource_spec === undefined ? [] : [{ name, label: withoutIcons(name), spec: config.resource_spec }],
  );
  if (items.length === 0) {
    throw new UserError(
      isWhole
        ? vscode.l10n.t('No deployment on {0} reports its resources.', connection)
        : vscode.l10n.t('None of the first {0} deployments on {1} reports its resources.', MAX_PAGE_SIZE, connection),
    );
  }
  const choice = await askChoice({
    title,
    placeholder: isWhole
      ? vscode.l10n.t('Select a deployment on {0}', connection)
      : vscode.l10n.t('Select one of the first {0} deployments on {1}', MAX_PAGE_SIZE, connection),
    items,
  });
  if (choice === undefined) return undefined;
  const { name, spec } = choice;
  const left = vscode.l10n.t('Values that may be secret were left out. Enter them again.');
  return {
    text: specToText(toSpecMap(withoutHidden(spec))),
    message: secretsIn(spec).length > 0 ? `${loadedWords(name)} ${left}` : loadedWords(name),
  };
}
