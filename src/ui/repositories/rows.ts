import * as vscode from 'vscode';
import { repositoryWebUrl } from '../../core/git/remote.ts';
import { repositoryTitle } from '../../core/git/repositories.ts';
import type { Connections } from '../../state/connections/connections.ts';
import type { Repositories } from '../../state/lists/repositories.ts';
import { type Line, opening, plainView, type RowView } from '../window/rowLook.ts';
import type { OpenRemotes } from '../workspace/openRemotes.ts';

interface InstallationRow {
  readonly kind: 'installation';
  readonly id: string;
}

interface RepositoryRow {
  readonly kind: 'repository';
  readonly installationId: string;
  readonly id: string;
}

/** A row of the repositories view. */
export type RepositoriesRow = InstallationRow | RepositoryRow;

export interface RepositorySources {
  readonly connections: Connections;
  readonly repositories: Repositories;
  readonly openRemotes: OpenRemotes;
}

export function repositoryRowKey(row: RepositoriesRow): string {
  return row.kind === 'installation'
    ? `installation/${row.id}`
    : `installation/${row.installationId}/repository/${row.id}`;
}

export function viewRepositoryRow(row: RepositoriesRow, sources: RepositorySources): RowView {
  return row.kind === 'installation' ? viewInstallation(row, sources) : viewRepository(row, sources);
}

/** The tooltip of a row. */
export function repositoryLines(row: RepositoriesRow, { repositories }: RepositorySources): readonly Line[] {
  const installation = repositories.findInstallation(row.kind === 'installation' ? row.id : row.installationId);
  const installationLines: Line[] = [
    [vscode.l10n.t('Integration'), installation?.name],
    [vscode.l10n.t('Installation id'), installation?.installation_id?.toString()],
    [vscode.l10n.t('Integration id'), installation?.id],
  ];
  const record = row.kind === 'repository' ? repositories.find(row.installationId, row.id)?.record : undefined;
  if (record === undefined) return installationLines;
  return [
    [vscode.l10n.t('Repository'), repositoryTitle(record)],
    [vscode.l10n.t('Address'), record.url],
    [vscode.l10n.t('Default branch'), record.default_branch],
    ...installationLines,
  ];
}

function viewInstallation(row: InstallationRow, { repositories }: RepositorySources): RowView {
  const { entries, loadedAt } = repositories.repositoriesOf(row.id);
  const label = repositories.findInstallation(row.id)?.name ?? row.id;
  const isEmpty = loadedAt !== undefined && entries.length === 0;
  const description = isEmpty ? vscode.l10n.t('no repositories') : '';
  return {
    ...plainView(repositoryRowKey(row), 'installation', { label, description, icon: 'organization' }),
    isExpandable: true,
    // Expand the only installation, because users open it first.
    isExpanded: repositories.installations.entries.length === 1,
  };
}

function viewRepository(row: RepositoryRow, { connections, repositories, openRemotes }: RepositorySources): RowView {
  const record = repositories.find(row.installationId, row.id)?.record;
  const isOpen = record?.url !== undefined && openRemotes.has(record.url);
  const hasPage = record?.url !== undefined && repositoryWebUrl(record.url) !== undefined;
  const label = record === undefined ? row.id : repositoryTitle(record);
  const description = [record?.default_branch, isOpen ? vscode.l10n.t('this workspace') : undefined];
  return plainView(repositoryRowKey(row), hasPage ? 'repository;page' : 'repository', {
    label,
    description: description.filter((part) => part !== undefined).join(' · '),
    icon: isOpen ? 'root-folder-opened' : 'repo',
    ...opening(connections.session, { kind: 'repository', ids: [row.installationId, row.id] }),
  });
}
