import type { RefusalWords } from '../en/refusals.ts';
import { counted } from './counted.ts';

export const frRefusals: RefusalWords = {
  codes: {
    invalid_request: 'Le service n’a pas pu faire ce qui était demandé. Rien n’a été changé.',
    invalid_json: 'Le service n’a pas pu lire ce que cette page a envoyé. Rechargez la page et réessayez.',
    invalid_parameter: 'Le service n’a pas accepté la saisie. Vérifiez-la et réessayez.',
    unsupported_parameter:
      'Ce modèle ne prend pas en charge un des paramètres de cette discussion. Effacez-le et réessayez.',
    context_length_exceeded:
      'Cette discussion est plus longue que ce que le modèle peut lire. Commencez-en une nouvelle, ou choisissez un modèle au contexte plus grand.',
    invalid_api_key: 'La clé n’est pas valable. Créez-en une nouvelle.',
    network_not_permitted: 'C’est impossible depuis le réseau où vous êtes.',
    sign_in_required: 'Vous êtes déconnecté. Connectez-vous pour continuer.',
    permission_denied:
      'Vous n’avez pas le droit de faire cela. Adressez-vous à un administrateur de ce service.',
    model_not_permitted: 'Vous ne pouvez pas utiliser ce modèle. Choisissez-en un autre.',
    foreign_origin: 'Cette page appartient à une session antérieure. Rechargez-la et réessayez.',
    not_found: 'Cela n’existe plus. Peut-être a-t-il été supprimé.',
    model_not_found: 'Ce modèle n’est plus proposé. Choisissez-en un autre.',
    stream_not_kept: 'Cette réponse n’est plus conservée. Posez de nouveau la question.',
    method_not_allowed: 'Cette page est plus ancienne que le service. Rechargez-la et réessayez.',
    request_timeout: 'L’envoi a pris trop de temps. Vérifiez votre connexion et réessayez.',
    conflict: 'Cela ne va plus avec ce qui a changé entre-temps. Rechargez la page et réessayez.',
    storage_full:
      'Vos discussions et documents prennent toute la place que vous avez ici. Supprimez-en ; ce qui est supprimé compte jusqu’à sa disparition définitive, après un jour.',
    request_too_large: 'C’est trop gros pour être envoyé. Raccourcissez et réessayez.',
    unsupported_media_type:
      'Le service n’a pas pu lire l’envoi de cette page. Rechargez la page et réessayez.',
    insufficient_quota:
      'Votre budget est épuisé, ou ce qu’il en reste ne suffit pas. La page Consommation dit quand il se renouvelle et qui peut l’augmenter.',
    project_ended:
      'Ce projet est terminé. Choisissez-en un autre, ou demandez à un administrateur de le prolonger.',
    rate_limit_exceeded: 'C’était trop à la fois.',
    queue_full: 'Trop de personnes attendent ce modèle en ce moment.',
    headers_too_large:
      'Le navigateur a envoyé trop de choses avec la demande. Supprimez les cookies de ce site et reconnectez-vous.',
    access_withdrawn:
      'Votre accès a été retiré pendant l’opération. Adressez-vous à un administrateur de ce service.',
    internal_error:
      'Quelque chose s’est mal passé dans le service. Réessayez ; si cela persiste, prévenez ses responsables.',
    not_supported_by_engine: 'Ce modèle ne sait pas faire cela. Choisissez-en un autre.',
    engine_failed: 'Le modèle a échoué en répondant. Réessayez, ou choisissez-en un autre.',
    engine_unavailable:
      'Le modèle ne répond pas pour le moment. Réessayez bientôt, ou choisissez-en un autre.',
    usage_unwritable:
      'Le service ne peut pas noter la consommation pour le moment et n’accepte pas de questions. Réessayez plus tard.',
    database_unavailable:
      'La base de données est injoignable pour le moment. Rien n’est perdu ; réessayez dans un instant.',
    service_overloaded: 'Le service est surchargé pour le moment. Réessayez dans quelques secondes.',
    shutting_down: 'Le service redémarre. Réessayez dans une minute.',
    engine_timeout: 'Le modèle a mis trop de temps à répondre. Réessayez, ou choisissez-en un autre.',
  },
  places: {
    answer: {
      invalid_request:
        'Le modèle n’a pas pu lire cette discussion. Modifiez le dernier message, ou choisissez un autre modèle.',
      invalid_parameter:
        'Le modèle n’a pas accepté un paramètre de cette discussion. Changez-le sous Instructions et paramètres.',
      request_too_large: 'Cette discussion est trop grosse pour être envoyée. Commencez-en une nouvelle.',
      rate_limit_exceeded:
        'Une limite qui vous concerne est atteinte. Réessayez dans un instant. La page Consommation dit quelles limites vous avez et qui peut les augmenter.',
      internal_error: 'La réponse a échoué à cause d’une erreur du service. Répondez à nouveau.',
    },
    'POST /console/sign-in/password': {
      sign_in_required: 'L’adresse e-mail ou le mot de passe est incorrect. Vérifiez les deux et réessayez.',
      permission_denied:
        'Ce compte ne peut pas se connecter ici : il est désactivé ou attend un administrateur.',
      rate_limit_exceeded: 'Trop d’échecs de connexion.',
    },
    'POST /console/sign-in/link': {
      sign_in_required: 'Ce lien de connexion a déjà servi ou a expiré. Demandez-en un nouveau.',
      permission_denied:
        'Ce compte ne peut pas se connecter ici : il est désactivé ou attend un administrateur.',
    },
    'POST /console/invitation/preview': {
      not_found: 'Cette invitation a déjà servi, a été retirée ou a expiré. Demandez-en une nouvelle.',
    },
    'POST /console/invitation/accept': {
      not_found: 'Cette invitation a déjà servi, a été retirée ou a expiré. Demandez-en une nouvelle.',
      conflict: 'Il existe déjà un compte avec cette adresse e-mail.',
    },
    'GET /console/chats/:chatId': {
      not_found: 'Cette discussion n’existe pas. Peut-être a-t-elle été supprimée.',
    },
    'GET /console/shared/:shareId': {
      not_found: 'Ce lien ne fonctionne plus. Demandez-en un nouveau à la personne qui l’a partagé.',
    },
    'POST /console/generations': {
      conflict: 'La réponse ci-dessus est encore en cours. Attendez-la ou arrêtez-la d’abord.',
      rate_limit_exceeded: 'Trop de vos réponses sont en cours. Attendez-en une, ou arrêtez-en une.',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded: 'Trop de vos réponses sont en cours. Attendez-en une, ou arrêtez-en une.',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: 'La réponse est encore en cours. Attendez-la ou arrêtez-la d’abord.',
    },
    'POST /console/chats/import': {
      invalid_parameter:
        'Ce fichier n’est pas un export de discussions, ou une partie en est illisible. Rien n’a été importé.',
      invalid_request:
        'Ces discussions ne peuvent pas être importées : elles sont trop nombreuses, ou abîmées. Rien n’a été importé.',
      request_too_large:
        'Ce fichier est trop gros pour être importé. Exportez moins de discussions à la fois.',
    },
    'POST /console/keys': {
      conflict:
        'Vous avez autant de clés que ce service le permet. Révoquez d’abord une clé dont vous n’avez plus besoin.',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict: 'Cette clé a déjà été remplacée, révoquée ou a expiré. Créez-en une nouvelle.',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: 'Personne ici n’a cette adresse e-mail. Invitez d’abord la personne.',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict:
        'Cette personne est membre par un groupe du fournisseur d’identité. Retirez-la du groupe là-bas.',
    },
    'POST /console/administration/projects': {
      conflict: 'Un projet avec cet identifiant existe déjà. Choisissez-en un autre.',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: 'Ce projet est écrit dans le fichier de configuration du service. Changez-le là-bas.',
    },
    'PATCH /console/administration/appearance': {
      conflict: 'C’est écrit dans le fichier de configuration du service. Changez-le là-bas.',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: 'Désactivez d’abord le compte. Vous ne pouvez pas vous supprimer vous-même.',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: 'Vous ne pouvez pas changer votre propre accès. Demandez à un autre administrateur.',
    },
  },
  fields: {
    name: 'Choisissez un nom qui n’est ni vide ni trop long.',
    email: 'Utilisez l’adresse e-mail à laquelle l’invitation est destinée, sans faute.',
    password: 'Choisissez un mot de passe d’au moins dix caractères.',
    next: 'Choisissez un mot de passe d’au moins dix caractères.',
    current: 'Le mot de passe actuel est incorrect.',
    title: 'Choisissez un nom de 200 caractères au plus.',
    networks: 'Un des réseaux est illisible. Écrivez-les comme 192.0.2.0/24 ou 2001:db8::/32, un par ligne.',
    models: 'Un des modèles n’est pas proposé ici.',
    expiresAt:
      'Les clés de ce service ne peuvent pas durer si longtemps. Choisissez une expiration plus proche.',
    content: 'Ce message est trop long. Raccourcissez-le et réessayez.',
    systemPrompt: 'Les instructions sont trop longues. Raccourcissez-les et réessayez.',
    id: 'Utilisez des minuscules, des chiffres et des tirets pour l’identifiant, par exemple genomique.',
    weight: 'Le poids est un nombre de 0,01 à 1000.',
    endsAt: 'Choisissez un jour à venir.',
    groups: 'Un des groupes est trop long ou illisible.',
    description: 'La description est une ligne de 500 caractères au plus.',
    emails: 'Une des adresses est illisible. Personne n’a été invité.',
    limits: 'Les limites sont des nombres à partir de 0 ; seuls les budgets peuvent avoir des décimales.',
    parameters: 'Un des paramètres est hors limites. Changez-le sous Instructions et paramètres.',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, { one: 'Réessayez dans une seconde.', other: 'Réessayez dans # secondes.' })
      : counted(Math.ceil(seconds / 60), {
          one: 'Réessayez dans une minute.',
          other: 'Réessayez dans # minutes.',
        }),
};
