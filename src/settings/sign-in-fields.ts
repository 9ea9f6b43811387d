import { issuerUrl } from './address-checks.ts';
import { duration, flag, listOf, text } from './checks.ts';
import {
  entries,
  knob,
  optionalKnob,
  requiredKnob,
  requiredSecretKnob,
  secretKnob,
  section,
} from './knob.ts';

const groups = listOf(text('a group name'));
const claim = text('the name of a claim');

export const signInFields = {
  localAccounts: knob(flag, {
    fallback: true,
    meaning: 'Whether people may have an account with a password here, beside the providers.',
  }),
  adminEmail: optionalKnob(text('an e-mail address', /^[^\s@]+@[^\s@]+$/), {
    meaning: 'Creates this administrator at the first start, for set-ups without a person.',
    environment: [{ name: 'GATEHOUSE_ADMIN_EMAIL' }],
  }),
  adminPassword: secretKnob(text('a password of at least 10 characters', /^.{10,}$/su), {
    meaning: 'The password of that administrator.',
    environment: [{ name: 'GATEHOUSE_ADMIN_PASSWORD' }],
  }),
  sessionIdle: knob(duration(60_000, 365 * 86_400_000, '7d'), {
    fallback: '7d',
    meaning: 'A session that is not used for this long ends.',
  }),
  sessionLifetime: knob(duration(60_000, 365 * 86_400_000, '30d'), {
    fallback: '30d',
    meaning: 'Every session ends after this long, used or not.',
  }),
  recheck: knob(duration(60_000, 365 * 86_400_000, '12h'), {
    fallback: '12h',
    meaning:
      'A session through a provider ends when the provider has not vouched for the person for this long. Where it gives refresh tokens (scope `offline_access`) it is asked in the background; otherwise the person signs in again.',
  }),
  keysRecheck: knob(duration(60_000, 365 * 86_400_000, '30d'), {
    fallback: '30d',
    meaning:
      'The same for the API keys of people whom a provider vouches for. They work again after the next sign-in.',
  }),
  providers: entries(
    {
      name: requiredKnob(text('a short name in lower case, such as `campus`', /^[a-z0-9][a-z0-9-]{0,31}$/), {
        meaning: 'Part of the redirect address to register with the provider. Unique.',
      }),
      label: optionalKnob(text('a few words'), { meaning: 'What the button says. Without it the name.' }),
      issuer: requiredKnob(issuerUrl, { meaning: 'Where the provider is found.' }),
      clientId: requiredKnob(text('the client id'), { meaning: 'As registered with the provider.' }),
      clientSecret: requiredSecretKnob(
        text('the secret itself, `${NAME}` for a variable, or use `clientSecretFile`'),
        { meaning: 'As registered with the provider.' },
      ),
      scopes: knob(listOf(text('a scope')), {
        fallback: ['openid', 'profile', 'email'],
        meaning: 'What is asked for.',
      }),
      allowedGroups: knob(groups, {
        fallback: [],
        meaning: 'Who may enter: members of one of these. Empty: no such rule.',
      }),
      allowedDomains: knob(listOf(text('a domain, such as `example.org`', /^[a-z0-9.-]+$/)), {
        fallback: [],
        meaning: 'Who may enter: verified e-mail addresses of these domains. Empty: no such rule.',
      }),
      trustsEmail: knob(flag, {
        fallback: false,
        meaning:
          'Takes e-mail addresses as checked although the provider does not say so with `email_verified`. Only for a provider whose people cannot choose their address.',
      }),
      adminGroups: knob(groups, { fallback: [], meaning: 'Members of these are administrators.' }),
      claims: section('Which claim holds what.', {
        name: knob(claim, { fallback: 'name', meaning: 'The name of the person.' }),
        email: knob(claim, { fallback: 'email', meaning: 'The e-mail address.' }),
        groups: knob(claim, { fallback: 'groups', meaning: 'The groups; a list or one name.' }),
      }),
    },
    { meaning: 'OpenID Connect providers with which people sign in.', fallback: [], fallbackWords: 'none' },
  ),
};
