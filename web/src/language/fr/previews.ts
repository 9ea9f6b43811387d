import type { enPreviews } from '../en/previews.ts';

/** Documents in answers, opened beside the chat. */
export const frPreviews: typeof enPreviews = {
  open: 'Ouvrir à côté de la discussion',
  close: 'Fermer l’aperçu',
  titles: { html: 'Page', svg: 'Dessin', csv: 'Tableau', mermaid: 'Diagramme', vega: 'Graphique' },
  save: 'Enregistrer dans un fichier',
  sealed: 'Isolé : il ne peut atteindre ni le réseau, ni cette page, ni votre compte.',
  loading: 'Dessin en cours',
  failed: 'Ce qui dessine ceci n’a pas pu être chargé. Vérifiez votre connexion et ouvrez-le de nouveau.',
};
