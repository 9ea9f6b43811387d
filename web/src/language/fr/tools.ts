import type { enTools } from '../en/tools.ts';
import { counted } from './counted.ts';

/** Tools that servers offer, and the questions before they are called. */
export const frTools: typeof enTools = {
  choose: 'Outils',
  chosen: (count) =>
    counted(count, { one: 'Outils : 1 serveur activé', other: 'Outils : # serveurs activés' }),
  explained:
    'Le modèle peut demander des outils des serveurs que vous activez. On vous demande avant tout envoi.',
  count: (count) => counted(count, { one: '# outil', other: '# outils' }),
  unreachable: 'Ne répond pas pour le moment',
  call: (tool, server) => `${tool}, un outil de ${server}`,
  of: (server) => `de ${server}`,
  asks: (server) => `Le modèle veut appeler cet outil. Voici ce qui serait envoyé à ${server} :`,
  nothingSent: 'Rien d’autre que l’appel lui-même.',
  allowOnce: 'Autoriser une fois',
  allowInChat: 'Autoriser dans cette discussion',
  allowAlways: 'Toujours autoriser',
  refuse: 'Refuser',
  states: {
    asked: 'Vous attend',
    running: 'En cours',
    done: 'Terminé',
    refused: 'Refusé',
    stopped: 'Arrêté',
    interrupted: 'Interrompu',
    failed: 'Échoué',
    toolError: 'L’outil signale un problème',
  },
  sent: 'Envoyé',
  result: 'Résultat',
  empty: 'Le résultat est vide.',
  cut: 'Le résultat était plus long ; le reste a été coupé.',
  failures: {
    tool_timeout: 'L’outil n’a pas répondu à temps.',
    tool_unreachable: 'L’outil n’a pas pu être joint, ou s’est interrompu.',
    tool_nonsense: 'L’outil a répondu quelque chose d’incompréhensible.',
    tool_too_large: 'L’outil a répondu plus que ce qui est permis.',
    tool_changed:
      'L’appel n’a pas été fait : l’outil a changé depuis que la question vous a été posée. Demandez à nouveau pour continuer.',
    tool_busy: 'Trop d’appels ont été faits à la fois.',
    tool_arguments: 'L’appel n’a pas été fait : le modèle a écrit des arguments qui ne sont pas du JSON.',
  },
  failed: 'L’appel a échoué.',
  interrupted: 'Le service a redémarré, ou personne n’a répondu. Demandez à nouveau pour continuer.',
  consents: {
    title: 'Outils',
    lead: 'Des outils qui peuvent être appelés dans toutes vos discussions sans vous le demander. Quand un outil change, on vous redemande.',
    none: 'On vous demande avant chaque outil, sauf si vous l’avez autorisé pour une discussion.',
    given: 'Autorisé',
    withdraw: 'Redemander',
    withdrawn: 'On vous redemandera avant d’appeler cet outil.',
  },
};
