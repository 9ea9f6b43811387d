import type { enDocuments } from '../en/documents.ts';
import { counted } from './counted.ts';

/** Documents, pictures and what the model is given. */
export const frDocuments: typeof enDocuments = {
  attach: 'Joindre des fichiers',
  dropHere: 'Déposez les fichiers ici pour les joindre',
  attached: 'Fichiers joints',
  remove: (name) => `Retirer ${name}`,
  reading: 'Lecture',
  sending: 'Envoi',
  pages: (count) => counted(count, { one: '# page', other: '# pages' }),
  cells: (count) => counted(count, { one: '# cellule', other: '# cellules' }),
  emptyPages: (empty, all) =>
    counted(empty, {
      one: `1 page sur ${all} n’a pas de texte, comme une page numérisée. Le modèle ne la voit pas.`,
      other: `# pages sur ${all} n’ont pas de texte, comme des pages numérisées. Le modèle ne les voit pas.`,
    }),
  tooMany: (max) =>
    counted(max, {
      one: 'Une question accepte un fichier au plus.',
      other: 'Une question accepte # fichiers au plus.',
    }),
  waitForFiles: 'Les fichiers ne sont pas encore là',
  pasted: 'Texte collé',
  blind: (model) =>
    `${model} ne peut pas regarder d’images : il ne reçoit que vos mots. Choisissez un modèle qui le peut, ou retirez l’image.`,
  problems: {
    unsupported:
      'Ce type de fichier ne peut pas être lu ici. PDF, Word (.docx), textes, tableaux, notebooks et images le peuvent.',
    unreadable: 'Ce fichier est abîmé, ou n’est pas ce que dit son nom.',
    password: 'Ce fichier est protégé par un mot de passe. Enregistrez-le sans, puis joignez-le de nouveau.',
    noText:
      'Ce fichier contient des images de pages et aucun texte, comme une numérisation. Joignez une version avec du texte.',
    empty: 'Ce fichier est vide.',
    tooLarge: 'Ce fichier est plus gros que ce que le service accepte. Joignez-en une partie.',
    tooLong: 'Ce fichier est trop long pour être lu ici. Joignez-en une partie.',
    storageFull:
      'Il n’y a plus de place pour lui dans votre espace. Supprimez des discussions dont vous n’avez plus besoin.',
    noPicturesHere: 'Une discussion temporaire n’accepte pas d’images, car il faudrait les conserver.',
    notSent: 'L’envoi a échoué. Retirez le fichier et joignez-le de nouveau.',
  },
  sources: 'Sources',
  source: (number, name, page) => `Source ${number} : ${name}, page ${page}`,
  page: (page) => `page ${page}`,
  pageOf: (page, count) => `Page ${page} sur ${count}`,
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  original: 'Télécharger l’original',
  closeDocument: 'Fermer le document',
  noTextOnPage: 'Il n’y a pas de texte sur cette page.',
  sent: {
    title: 'Ce qui a été envoyé',
    explained: 'C’est exactement ce que le modèle a reçu pour cette réponse.',
    show: 'Ce qui a été envoyé au modèle',
    instructions: 'Instructions',
    documents: 'Documents',
    conversation: 'Conversation',
    answer: 'Réservé à la réponse',
    tokens: (count) => `${count} tokens`,
    aboutTokens: (count) => `environ ${count} tokens`,
    of: (used, all) => `${used} tokens sur ${all}`,
    wholePages: 'Le texte entier de ces pages :',
    pictures: 'Images :',
    leftOut: 'Rien n’a été envoyé de :',
    beganLater: 'Les messages les plus anciens ne tenaient pas et ont été laissés de côté.',
    allMessages: 'Tous les messages de cette conversation ont été envoyés.',
  },
  context: {
    meter: (percent) => `Contexte : plein à ${percent} %`,
    title: 'Ce que le modèle recevra',
    estimated: 'Estimation, plutôt trop haute que trop basse.',
    tight: 'La conversation ne tient plus en entier. Le modèle répond sans ses messages les plus anciens.',
    documentsInPart:
      'Un document ne tient pas en entier : les passages qui touchent votre question sont envoyés.',
    viewBegins: 'Le modèle voit la conversation à partir d’ici',
  },
};
