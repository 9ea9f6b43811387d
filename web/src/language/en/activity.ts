import { counted } from './counted.ts';

type Detail = Readonly<Record<string, string | number | boolean>>;

const methods: Readonly<Record<string, string>> = {
  password: 'a password',
  link: 'a one-time link',
  invitation: 'an invitation',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const enActivity = {
  title: 'Activity',
  lead: 'What happened to your account, when and from where. Entries are added and never changed.',
  none: 'Nothing yet',
  notYou:
    'If something here was not you, sign out everywhere under Devices, change your password, and tell whoever runs this service.',
  by: {
    person: (name: string | null) => `by ${name ?? 'somebody who is gone'}`,
    stranger: 'by somebody who was not signed in',
    command: (name: string | null) => `at the command line, by ${name ?? 'the operator'}`,
    provider: (name: string | null) => `by ${name ?? 'a sign-in provider'}`,
    service: 'by this service',
  },
  notice: 'About your account',
  more: (count: number) => counted(count, { one: 'and one more', other: 'and # more' }),
  show: 'See activity',
  seen: 'I have seen it',
  happened: (kind: string, detail: Detail, roles: Readonly<Record<string, string>>): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Signed in with ${methods[method] ?? method}`
          : `Signed in with a link that ${String(detail['linkMadeBy'])} made`,
      'sign-in-failed': counted(attempts, { one: 'Failed sign-in', other: '# failed sign-ins' }),
      'sign-out': 'Signed out',
      'password-changed': 'Password changed',
      'sign-in-link-created': 'Sign-in link made for your account',
      'provider-connected': `${provider} connected`,
      'provider-disconnected': `${provider} disconnected`,
      'key-created': `API key “${name}” created`,
      'key-rotated': `API key “${name}” rotated`,
      'key-revoked': `API key “${name}” revoked`,
      'person-created': 'Account created',
      'person-enabled': 'Account enabled',
      'person-disabled': 'Account disabled',
      'person-withdrawn': 'Let go by your sign-in provider',
      'person-exported':
        detail['part'] === 'chats' ? 'Your chats were exported' : 'Data about your account was exported',
      'person-restored': 'Let in again by your sign-in provider',
      'role-changed': `Role changed to ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Invitation accepted',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Added to the project ${project} as a lead`
          : `Added to the project ${project}`,
      'project-member-removed': `Removed from the project ${project}`,
      'space-chat-withdrawn': `A chat that you shared in the project ${project} was withdrawn`,
      'limits-changed': 'Your limits were changed',
    };
    return sentences[kind] ?? kind;
  },
};
