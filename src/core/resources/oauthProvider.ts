import * as l10n from '@vscode/l10n';
import type { OAuthProviderPatch } from '../../api/resources/oauthProviders.ts';

/** An editable field of an OAuth provider (the interface, "OAuth providers"). */
export type ProviderField = keyof OAuthProviderPatch;

/** The fields, in the order of the interface. */
export const providerFields = [
  'name',
  'client_id',
  'client_secret',
  'auth_url',
  'token_url',
  'uses_pkce',
  'code_challenge_method',
] as const satisfies readonly ProviderField[];

export function providerFieldLabel(field: ProviderField): string {
  const labels: Record<ProviderField, string> = {
    name: l10n.t('Name'),
    client_id: l10n.t('Client id'),
    client_secret: l10n.t('Client secret'),
    auth_url: l10n.t('Authorization URL'),
    token_url: l10n.t('Token URL'),
    uses_pkce: l10n.t('Uses PKCE'),
    code_challenge_method: l10n.t('Code challenge method'),
  };
  return labels[field];
}

/** Describes the change of a field. Never shows the client secret. */
export function describeProviderChange(patch: OAuthProviderPatch, field: ProviderField): string {
  const value = patch[field];
  if (value === undefined) return l10n.t('unchanged');
  if (value === null) return l10n.t('will be cleared');
  if (field === 'client_secret') return '••••••••';
  if (typeof value === 'boolean') return value ? l10n.t('yes') : l10n.t('no');
  return value;
}

/** Sets a field in the patch. Null clears the field, and undefined leaves the service's value unchanged. */
export function withProviderChange(
  patch: OAuthProviderPatch,
  field: ProviderField,
  value: string | boolean | null | undefined,
): OAuthProviderPatch {
  const { [field]: _old, ...others } = patch;
  return value === undefined ? others : { ...others, [field]: value };
}

/** Explains why a text isn't a valid value for a field. Undefined if it is. */
export function providerValueProblem(field: ProviderField, text: string): string | undefined {
  if (text.trim() === '') return l10n.t('Enter a value, or go back and clear the field.');
  if (field !== 'auth_url' && field !== 'token_url') return undefined;
  const isWebAddress = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
  return isWebAddress ? undefined : l10n.t('Enter a complete URL, such as https://accounts.example.com/authorize.');
}
