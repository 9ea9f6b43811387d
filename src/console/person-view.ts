import type { Session } from '#vocabulary/person-desks';
import type { Person } from '#vocabulary/stores';
import type { ConsoleParts } from './console-parts.ts';
import { viewAppearance } from './views.ts';
import { preferences as preferencesSchema, type Preferences } from '#contract/session';

const defaults: Preferences = {
  theme: 'system',
  language: '',
  defaultModel: '',
  defaultEffort: null,
  systemPrompt: '',
  automaticTitles: true,
  sendWithEnter: true,
  whenFull: 'ask',
};

/** The person and the session as their own page sees them. */
export function createPersonView(parts: ConsoleParts) {
  const { desks, people, preferences, conversations } = parts;
  return { viewPerson, viewSession };

  async function viewPerson(person: Person) {
    const { id, name, email, role, createdAt, managedBy } = person;
    const stored = preferencesSchema.partial().safeParse(await preferences.read(id));
    return {
      id,
      name,
      email,
      role,
      hasPassword: (await people.readPasswordHash(id)) !== undefined,
      maySetPassword: desks.signInWays.password && managedBy === undefined,
      providers: (await desks.providers.listOf(id)).map((listed) => ({ ...listed, id: listed.id ?? null })),
      managedBy: managedBy === undefined ? null : desks.providers.describe(managedBy).name,
      createdAt,
      preferences: { ...defaults, ...((stored.success ? stored.data : {}) as Partial<Preferences>) },
    };
  }

  async function viewSession(session: Session | undefined, token?: string) {
    const isOfDisabled =
      session === undefined && token !== undefined && (await desks.sessions.isOfDisabled(token));
    const isAdministrator = session?.person.role === 'administrator';
    return {
      service: {
        ...viewAppearance(await parts.appearance.read()),
        version: parts.version,
        publicUrl: parts.publicUrl(),
        isStatusPublic: parts.status.isPublic,
      },
      person: session === undefined ? null : await viewPerson(session.person),
      problem: isOfDisabled ? ('account_disabled' as const) : null,
      csrfToken: session?.csrfToken ?? 'signed-out',
      expiresAt: session?.expiresAt ?? null,
      signedInBy: session?.method ?? null,
      signIn: desks.signInWays,
      storage: session === undefined ? null : await conversations.storageOf(session.person.id),
      capabilities: {
        mayChat: session !== undefined,
        mayCreateKeys: session !== undefined,
        mayAdminister: isAdministrator,
        mayInvite: isAdministrator && desks.signInWays.password,
      },
    };
  }
}
