import * as l10n from '@vscode/l10n';
import type { RejectedField } from '../../api/errors.ts';
import { isLoopback } from '../../api/http/baseUrl.ts';
import type { OAuthProvider, OAuthProviderPatch } from '../../api/resources/oauthProviders.ts';

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
    client_id: l10n.t('Client ID'),
    client_secret: l10n.t('Client secret'),
    auth_url: l10n.t('Authorization URL'),
    token_url: l10n.t('Token URL'),
    uses_pkce: l10n.t('Uses PKCE'),
    code_challenge_method: l10n.t('Code challenge method'),
  };
  return labels[field];
}

/** Describes the change of a field before it is sent. Never shows the client secret. */
export function describeProviderChange(patch: OAuthProviderPatch, field: ProviderField): string {
  const value = patch[field];
  if (value === undefined) return l10n.t('left unchanged');
  if (value === null) return l10n.t('will be cleared');
  if (field === 'client_secret') return '••••••••';
  if (typeof value === 'boolean') return value ? l10n.t('yes') : l10n.t('no');
  return value;
}

/**
 * Describes the change of a field after it was sent, as the service's answer shows it.
 * A service may read null as absent, or change a value, and the user has to see that.
 */
export function describeProviderResult(
  patch: OAuthProviderPatch,
  provider: OAuthProvider,
  field: ProviderField,
): string {
  const sent = patch[field];
  if (sent === undefined) return l10n.t('left unchanged');
  if (field === 'client_secret') {
    return sent === null
      ? l10n.t("sent to be cleared; the answer doesn't contain it")
      : l10n.t("sent; the answer doesn't contain it");
  }
  const answered = provider[field];
  if (sent !== null) return answered === sent ? l10n.t('changed') : l10n.t('the service answered with another value');
  const isCleared = answered === undefined || answered === '' || answered === false;
  return isCleared ? l10n.t('cleared') : l10n.t('not cleared: the service kept a value');
}

/** Names rejected fields as the form does. Without any, the service's message says what it rejected. */
export function describeProviderRefusal(message: string, fields: readonly RejectedField[] = []): string {
  if (fields.length === 0) return message;
  return fields
    .map(({ path, message: said }) => {
      const field = providerFields.find((known) => known === path);
      return l10n.t('{0}: {1}', field === undefined ? path : providerFieldLabel(field), said.replace(/\.$/, ''));
    })
    .join('; ');
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
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return undefined;
  return url?.protocol === 'http:'
    ? l10n.t('{0} needs https: users sign in there. Only this machine can have plain http.', providerFieldLabel(field))
    : l10n.t('Enter a complete URL, such as https://accounts.example.com/authorize.');
}
