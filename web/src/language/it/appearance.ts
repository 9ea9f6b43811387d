import type { enAppearance } from '../en/appearance.ts';

/** Administration, Appearance. */
export const itAppearance: typeof enAppearance = {
  words: 'Nome e testi',
  name: 'Nome',
  nameHint: 'Nella barra laterale, nella pagina di accesso, nei titoli e nella pagina di stato.',
  lead: 'Riga sotto il nome nella pagina di accesso',
  help: 'Testo sotto il suo modulo',
  usual: 'Vuoto: il testo consueto.',
  save: 'Salva',
  saved: 'Salvato',
  colour: 'Colore',
  colourLead:
    'Un colore per tutto ciò su cui si può agire. Per entrambi i temi se ne ricavano tonalità leggibili, quindi il colore mostrato può essere più scuro o più chiaro di quello scelto.',
  chosen: 'Colore scelto',
  own: 'Usa il colore predefinito',
  light: 'Tema chiaro',
  dark: 'Tema scuro',
  sample: 'Esempio',
  sampleLink: 'Un link',
  adapted: 'Adattato per essere leggibile',
  asChosen: 'Come scelto',
  logo: 'Logo',
  logoLead:
    'Un PNG fino a 1024 per 1024 punti, o un SVG di forme e sfumature; al massimo 128 KB. Prende il posto dell’arco.',
  choose: 'Scegli un’immagine',
  remove: 'Rimuovi il logo',
  notAPicture: 'Scelga un file PNG o SVG di al massimo 128 KB.',
  refused:
    'Questa immagine non può essere usata: è danneggiata, troppo grande, o un SVG che contiene altro oltre a forme e sfumature (script, stili, link, testi, immagini).',
};
