import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'una contraseña',
  link: 'un enlace de un solo uso',
  invitation: 'una invitación',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const esActivity: typeof enActivity = {
  title: 'Actividad',
  lead: 'Qué ha pasado con su cuenta, cuándo y desde dónde. Las entradas se añaden y nunca se cambian.',
  none: 'Nada todavía',
  notYou:
    'Si algo de esto no lo hizo usted, cierre sesión en todas partes en Dispositivos, cambie la contraseña y avise a quienes llevan este servicio.',
  by: {
    person: (name) => `por ${name ?? 'alguien que ya no está'}`,
    stranger: 'por alguien que no había iniciado sesión',
    command: (name) => `en la línea de órdenes, por ${name ?? 'el operador'}`,
    provider: (name) => `por ${name ?? 'un proveedor de identidad'}`,
    service: 'por este servicio',
  },
  notice: 'Sobre su cuenta',
  more: (count) => counted(count, { one: 'y una más', other: 'y # más' }),
  show: 'Ver la actividad',
  seen: 'Lo he visto',
  happened: (kind, detail, roles): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Inicio de sesión con ${methods[method] ?? method}`
          : `Inicio de sesión con un enlace que creó ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, {
        one: 'Inicio de sesión fallido',
        other: '# inicios de sesión fallidos',
      }),
      'sign-out': 'Cierre de sesión',
      'password-changed': 'Contraseña cambiada',
      'sign-in-link-created': 'Enlace de inicio de sesión creado para su cuenta',
      'provider-connected': `${provider} conectado`,
      'provider-disconnected': `${provider} desconectado`,
      'key-created': `Clave API «${name}» creada`,
      'key-rotated': `Clave API «${name}» renovada`,
      'key-revoked': `Clave API «${name}» revocada`,
      'person-created': 'Cuenta creada',
      'person-enabled': 'Cuenta activada',
      'person-disabled': 'Cuenta desactivada',
      'person-withdrawn': 'Retirada por su proveedor de identidad',
      'person-exported':
        detail['part'] === 'chats' ? 'Se exportaron sus chats' : 'Se exportaron datos sobre su cuenta',
      'person-restored': 'Readmitida por su proveedor de identidad',
      'role-changed': `Nuevo rol: ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Invitación aceptada',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Añadido al proyecto ${project} como responsable`
          : `Añadido al proyecto ${project}`,
      'project-member-removed': `Retirado del proyecto ${project}`,
      'space-chat-withdrawn': `Se retiró un chat que había compartido en el proyecto ${project}`,
      'limits-changed': 'Sus límites han cambiado',
    };
    return sentences[kind] ?? kind;
  },
};
