import type { enActivity } from '../en/activity.ts';
import { counted } from './counted.ts';

const methods: Readonly<Record<string, string>> = {
  password: 'un mot de passe',
  link: 'un lien à usage unique',
  invitation: 'une invitation',
};

/** What happened to an account, in words: Settings, Account, Activity, and the notices in the chat. */
export const frActivity: typeof enActivity = {
  title: 'Activité',
  lead: 'Ce qui est arrivé à votre compte, quand et d’où. Les entrées s’ajoutent et ne changent jamais.',
  none: 'Rien pour l’instant',
  notYou:
    'Si quelque chose ici ne vient pas de vous, déconnectez-vous partout sous Appareils, changez de mot de passe et prévenez les responsables de ce service.',
  by: {
    person: (name) => `par ${name ?? 'quelqu’un qui est parti'}`,
    stranger: 'par quelqu’un qui n’était pas connecté',
    command: (name) => `en ligne de commande, par ${name ?? 'l’exploitant'}`,
    provider: (name) => `par ${name ?? 'un fournisseur d’identité'}`,
    service: 'par ce service',
  },
  notice: 'À propos de votre compte',
  more: (count) => counted(count, { one: 'et une autre', other: 'et # autres' }),
  show: 'Voir l’activité',
  seen: 'J’ai vu',
  happened: (kind, detail, roles): string => {
    const name = String(detail['name'] ?? '');
    const provider = String(detail['provider'] ?? '');
    const project = String(detail['project'] ?? '');
    const method = String(detail['method'] ?? '');
    const attempts = Number(detail['attempts'] ?? 1);
    const sentences: Readonly<Record<string, string>> = {
      'sign-in':
        detail['linkMadeBy'] === undefined
          ? `Connexion avec ${methods[method] ?? method}`
          : `Connexion avec un lien créé par ${String(detail['linkMadeBy'])}`,
      'sign-in-failed': counted(attempts, { one: 'Échec de connexion', other: '# échecs de connexion' }),
      'sign-out': 'Déconnexion',
      'password-changed': 'Mot de passe changé',
      'sign-in-link-created': 'Lien de connexion créé pour votre compte',
      'provider-connected': `${provider} relié`,
      'provider-disconnected': `${provider} détaché`,
      'key-created': `Clé API « ${name} » créée`,
      'key-rotated': `Clé API « ${name} » renouvelée`,
      'key-revoked': `Clé API « ${name} » révoquée`,
      'person-created': 'Compte créé',
      'person-enabled': 'Compte activé',
      'person-disabled': 'Compte désactivé',
      'person-withdrawn': 'Retiré par votre fournisseur d’identité',
      'person-exported':
        detail['part'] === 'chats'
          ? 'Vos discussions ont été exportées'
          : 'Des données sur votre compte ont été exportées',
      'person-restored': 'Réadmis par votre fournisseur d’identité',
      'role-changed': `Nouveau rôle : ${roles[String(detail['to'])] ?? String(detail['to'])}`,
      'invitation-used': 'Invitation acceptée',
      'project-member-added':
        detail['role'] === 'lead'
          ? `Ajouté au projet ${project} comme responsable`
          : `Ajouté au projet ${project}`,
      'project-member-removed': `Retiré du projet ${project}`,
      'space-chat-withdrawn': `Une conversation que vous aviez partagée dans le projet ${project} a été retirée`,
      'limits-changed': 'Vos limites ont été modifiées',
    };
    return sentences[kind] ?? kind;
  },
};
