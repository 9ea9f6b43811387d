/** Where signing in with a provider begins: a page to go to, not a call. */
export function providerAddress(providerId: string, extra: { readonly account?: 'other' } = {}): string {
  const returnTo = new URLSearchParams(location.search).get('returnTo') ?? '/';
  const query = new URLSearchParams({ returnTo, ...extra });
  return `/console/sign-in/provider/${encodeURIComponent(providerId)}?${query}`;
}
