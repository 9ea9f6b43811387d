import type { enAppearance } from '../en/appearance.ts';

/** Administration, Appearance. */
export const frAppearance: typeof enAppearance = {
  words: 'Nom et textes',
  name: 'Nom',
  nameHint: 'Dans la barre latérale, sur la page de connexion, dans les titres et sur la page d’état.',
  lead: 'Ligne sous le nom sur la page de connexion',
  help: 'Texte sous le formulaire',
  usual: 'Vide : le texte habituel.',
  save: 'Enregistrer',
  saved: 'Enregistré',
  colour: 'Couleur',
  colourLead:
    'Une couleur pour ce sur quoi on peut agir. Des nuances lisibles en sont tirées pour les deux thèmes : la couleur affichée peut donc être plus sombre ou plus claire que celle choisie.',
  chosen: 'Couleur choisie',
  own: 'Utiliser la couleur de la maison',
  light: 'Thème clair',
  dark: 'Thème sombre',
  sample: 'Exemple',
  sampleLink: 'Un lien',
  adapted: 'Adaptée pour être lisible',
  asChosen: 'Telle que choisie',
  logo: 'Logo',
  logoLead:
    'Un PNG de 1024 points sur 1024 au plus, ou un SVG fait de formes et de dégradés ; 128 Ko au plus. Il prend la place de l’arche.',
  choose: 'Choisir une image',
  remove: 'Retirer le logo',
  notAPicture: 'Choisissez un fichier PNG ou SVG de 128 Ko au plus.',
  refused:
    'Cette image ne peut pas servir : elle est abîmée, trop grande, ou c’est un SVG qui contient plus que des formes et des dégradés (scripts, styles, liens, textes, images).',
};
