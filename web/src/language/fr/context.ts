import type { enContext } from '../en/context.ts';

/** What the model is given of a long conversation, and what becomes of the rest. */
export const frContext: typeof enContext = {
  counted: 'Compté par le tokeniseur du modèle lui-même.',
  summarised: 'Un résumé tient lieu des messages les plus anciens.',
  willSummarise: 'Avant de répondre, le modèle résume les messages les plus anciens.',
  summarising: 'Les messages les plus anciens sont en train d’être résumés',
  choice: {
    title: 'Cette conversation ne tient plus en entier dans le modèle',
    explained:
      'Le modèle peut résumer les messages les plus anciens avant de répondre, ou ils sont laissés de côté. Vous les gardez tous dans les deux cas.',
    summarise: 'Les résumer',
    leaveOut: 'Les laisser de côté',
    always: 'Faire de même dans toutes les discussions',
  },
  summary: {
    title: 'Résumé de ce qui précède',
    by: (model) => `par ${model}`,
    edited: 'modifié par vous',
    edit: 'Modifier',
    leaveOut: 'Plutôt laisser de côté',
    summarise: 'Plutôt résumer',
    problem: 'Le résumé n’a pas pu être écrit ; les messages les plus anciens ont été laissés de côté.',
    sent: 'Les messages les plus anciens ne tenaient pas. Ce résumé a été envoyé à leur place :',
  },
  settings: {
    title: 'Longues conversations',
    label: 'Quand une conversation ne tient plus dans le modèle',
    ask: 'Me demander',
    summarise: 'Résumer les messages les plus anciens',
    leaveOut: 'Laisser de côté les messages les plus anciens',
  },
  byMeaning: {
    searched: 'Les passages ont été trouvés par leurs mots et par leur sens.',
    failed:
      'La recherche par le sens n’a pas répondu à temps : les passages ont été trouvés par leurs mots seulement.',
  },
};
