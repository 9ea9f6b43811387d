import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'una password',
  link: 'un link monouso',
  invitation: 'un invito',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const itActivity: typeof enActivity = {
  title: 'Attività',
  lead: 'Che cosa è successo al suo account, quando e da dove. Le voci si aggiungono e non cambiano mai.',
  none: 'Ancora nulla',
  notYou:
    'Se qualcosa qui non è opera sua, esca ovunque in Dispositivi, cambi la password e avvisi chi gestisce questo servizio.',
  by: {
    person: (name) => `da ${name ?? 'qualcuno che non c’è più'}`,
    stranger: 'da qualcuno che non aveva eseguito l’accesso',
    command: (name) => `dalla riga di comando, da ${name ?? 'chi gestisce il servizio'}`,
    provider: (name) => `da ${name ?? 'un provider di accesso'}`,
    service: 'da questo servizio',
  },
  notice: 'Sul suo account',
  more: (count) => counted(count, { one: 'e un’altra', other: 'e altre #' }),
  show: 'Vedi l’attività',
  seen: 'Ho visto',
  happened: (kind, detail, roles): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Accesso con ${methods[method] ?? method}`
          : `Accesso con un link creato da ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, { one: 'Accesso non riuscito', other: '# accessi non riusciti' }),
      'sign-out': 'Uscita',
      'password-changed': 'Password cambiata',
      'sign-in-link-created': 'Link di accesso creato per il suo account',
      'provider-connected': `${provider} collegato`,
      'provider-disconnected': `${provider} scollegato`,
      'key-created': `Chiave API «${name}» creata`,
      'key-rotated': `Chiave API «${name}» rinnovata`,
      'key-revoked': `Chiave API «${name}» revocata`,
      'person-created': 'Account creato',
      'person-enabled': 'Account attivato',
      'person-disabled': 'Account disattivato',
      'person-withdrawn': 'Accesso ritirato dal suo provider di accesso',
      'person-exported':
        detail['part'] === 'chats'
          ? 'Le sue chat sono state esportate'
          : 'I dati sul suo account sono stati esportati',
      'person-restored': 'Accesso ridato dal suo provider di accesso',
      'role-changed': `Nuovo ruolo: ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Invito accettato',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Aggiunta al progetto ${project} come responsabile`
          : `Aggiunta al progetto ${project}`,
      'project-member-removed': `Rimozione dal progetto ${project}`,
      'space-chat-withdrawn': `Una chat che aveva condiviso nel progetto ${project} è stata ritirata`,
      'limits-changed': 'I suoi limiti sono cambiati',
    };
    return sentences[kind] ?? kind;
  },
};
