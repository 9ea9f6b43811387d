import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'einem Passwort',
  link: 'einem Einmal-Link',
  invitation: 'einer Einladung',
};

/** Was mit einem Konto geschah. */
export const deActivity: typeof enActivity = {
  title: 'Aktivität',
  lead: 'Was mit Ihrem Konto geschah, wann und von wo. Einträge kommen hinzu und werden nie geändert.',
  none: 'Noch nichts',
  notYou:
    'Wenn Sie etwas davon nicht waren: Melden Sie sich unter Geräte überall ab, ändern Sie Ihr Passwort und sagen Sie den Betreibern Bescheid.',
  by: {
    person: (name) => `durch ${name ?? 'jemanden, den es nicht mehr gibt'}`,
    stranger: 'durch jemanden, der nicht angemeldet war',
    command: (name) => `auf der Kommandozeile, durch ${name ?? 'die Betreiber'}`,
    provider: (name) => `durch ${name ?? 'einen Anmeldedienst'}`,
    service: 'durch diesen Dienst',
  },
  notice: 'Zu Ihrem Konto',
  more: (count) => counted(count, { one: 'und eine weitere Meldung', other: 'und # weitere' }),
  show: 'Aktivität ansehen',
  seen: 'Gesehen',
  happened: (kind, detail, roles) => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Angemeldet mit ${methods[method] ?? method}`
          : `Angemeldet mit einem Link von ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, {
        one: 'Anmeldung fehlgeschlagen',
        other: '# Anmeldungen fehlgeschlagen',
      }),
      'sign-out': 'Abgemeldet',
      'password-changed': 'Passwort geändert',
      'sign-in-link-created': 'Anmelde-Link für Ihr Konto erzeugt',
      'provider-connected': `${provider} verbunden`,
      'provider-disconnected': `${provider} getrennt`,
      'key-created': `API-Schlüssel „${name}“ erzeugt`,
      'key-rotated': `API-Schlüssel „${name}“ erneuert`,
      'key-revoked': `API-Schlüssel „${name}“ widerrufen`,
      'person-created': 'Konto angelegt',
      'person-enabled': 'Konto freigegeben',
      'person-disabled': 'Konto gesperrt',
      'person-withdrawn': 'Vom Anmeldedienst abgemeldet',
      'person-exported':
        detail['part'] === 'chats' ? 'Ihre Chats wurden exportiert' : 'Daten Ihres Kontos wurden exportiert',
      'person-restored': 'Vom Anmeldedienst wieder zugelassen',
      'role-changed': `Rolle geändert: ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Einladung angenommen',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Zum Projekt ${project} als Leitung hinzugefügt`
          : `Zum Projekt ${project} hinzugefügt`,
      'project-member-removed': `Aus dem Projekt ${project} entfernt`,
      'space-chat-withdrawn': `Ein Chat, den Sie im Projekt ${project} geteilt hatten, wurde zurückgezogen`,
      'limits-changed': 'Ihre Grenzen wurden geändert',
    };
    return sentences[kind] ?? kind;
  },
};
