import type { AppearanceWords } from '../en/appearance.ts';

export const deAppearance: AppearanceWords = {
  words: 'Name und Worte',
  name: 'Name',
  nameHint: 'In der Seitenleiste, auf der Anmeldeseite, in Titeln und auf der Statusseite.',
  lead: 'Zeile unter dem Namen auf der Anmeldeseite',
  help: 'Worte unter ihrem Formular',
  usual: 'Leer: die üblichen Worte.',
  save: 'Speichern',
  saved: 'Gespeichert',
  colour: 'Farbe',
  colourLead:
    'Eine Farbe für alles, was man betätigen kann. Lesbare Töne davon entstehen für beide Darstellungen; was gezeigt wird, kann also dunkler oder heller sein als gewählt.',
  chosen: 'Gewählte Farbe',
  own: 'Farbe des Hauses benutzen',
  light: 'Helle Darstellung',
  dark: 'Dunkle Darstellung',
  sample: 'Beispiel',
  sampleLink: 'Ein Link',
  adapted: 'Angepasst, damit sie lesbar ist',
  asChosen: 'Wie gewählt',
  logo: 'Logo',
  logoLead:
    'Ein PNG bis 1024 mal 1024 Punkte oder ein SVG aus Formen und Verläufen; höchstens 128 KB. Es ersetzt den Bogen.',
  choose: 'Bild wählen',
  remove: 'Logo entfernen',
  notAPicture: 'Wählen Sie eine PNG- oder SVG-Datei von höchstens 128 KB.',
  refused:
    'Dieses Bild geht nicht: Es ist beschädigt, zu groß, oder ein SVG, das mehr als Formen und Verläufe enthält (Skripte, Stile, Links, Texte, Bilder).',
};
