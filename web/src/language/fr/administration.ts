import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const frAdministration: typeof enAdministration = {
  sections: 'Rubriques',
  groups: { service: 'Service', people: 'Personnes' },
  pages: {
    overview: {
      title: 'Vue d’ensemble',
      lead: 'Comment va le service maintenant, et comment il allait ces derniers temps.',
    },
    models: { title: 'Modèles et moteurs', lead: 'Ce qui est proposé, et par qui.' },
    status: {
      title: 'Page d’état',
      lead: 'Les incidents en toutes lettres, et où chacun voit comment vont les modèles.',
    },
    presets: {
      title: 'Préréglages',
      lead: 'Des façons de demander que chacun trouve derrière une barre oblique dans la discussion.',
    },
    announcements: { title: 'Annonces', lead: 'Ce que tout le monde doit savoir.' },
    appearance: { title: 'Apparence', lead: 'Un nom, une couleur et une image à vous.' },
    settings: {
      title: 'Réglages en vigueur',
      lead: 'Chaque réglage avec sa valeur et sa provenance. On les change dans le fichier de configuration.',
    },
    usage: { title: 'Consommation', lead: 'Qui a consommé quoi. Les jours sont en UTC.' },
    projects: {
      title: 'Projets',
      lead: 'Des personnes qui partagent des modèles, des limites et un budget, et leur part du service.',
    },
    keys: { title: 'Clés', lead: 'Les clés API de tous. Les secrets ne sont montrés à personne.' },
    audit: {
      title: 'Audit',
      lead: 'Qui a fait quoi à qui. Les entrées s’ajoutent et ne changent jamais ; chacune contient l’empreinte de la précédente.',
    },
    people: { title: 'Personnes', lead: 'Qui peut entrer. On ne peut lire ici les discussions de personne.' },
    invitations: {
      title: 'Invitations',
      lead: 'Des liens qui font entrer une personne chacun, dans des projets si vous voulez.',
    },
  },
};
