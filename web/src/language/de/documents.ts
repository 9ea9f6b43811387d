import type { enDocuments } from '../en/documents.ts';
import { counted } from './counted.ts';

export const deDocuments: typeof enDocuments = {
  attach: 'Dateien anhängen',
  dropHere: 'Dateien hier ablegen, um sie anzuhängen',
  attached: 'Angehängte Dateien',
  remove: (name) => `${name} entfernen`,
  reading: 'Wird gelesen',
  sending: 'Wird gesendet',
  pages: (count) => counted(count, { one: '1 Seite', other: '# Seiten' }),
  cells: (count) => counted(count, { one: '1 Zelle', other: '# Zellen' }),
  emptyPages: (empty, all) =>
    counted(empty, {
      one: `1 von ${all} Seiten hat keinen Text, etwa ein Scan. Das Modell sieht sie nicht.`,
      other: `# von ${all} Seiten haben keinen Text, etwa Scans. Das Modell sieht sie nicht.`,
    }),
  tooMany: (max) =>
    counted(max, {
      one: 'Eine Frage nimmt höchstens eine Datei mit.',
      other: 'Eine Frage nimmt höchstens # Dateien mit.',
    }),
  waitForFiles: 'Die Dateien sind noch nicht da',
  pasted: 'Eingefügter Text',
  blind: (model) =>
    `${model} kann keine Bilder ansehen und bekommt nur Ihre Worte. Wählen Sie ein Modell, das es kann, oder entfernen Sie das Bild.`,
  problems: {
    unsupported:
      'Diese Art von Datei kann hier nicht gelesen werden. PDF, Word (.docx), Text, Tabellen, Notebooks und Bilder schon.',
    unreadable: 'Diese Datei ist beschädigt oder nicht das, was ihr Name sagt.',
    password:
      'Diese Datei ist mit einem Passwort geschützt. Speichern Sie sie ohne und bringen Sie sie noch einmal.',
    noText:
      'Diese Datei enthält nur Bilder von Seiten und keinen Text, etwa ein Scan. Bringen Sie eine Fassung mit Text.',
    empty: 'Diese Datei ist leer.',
    tooLarge: 'Diese Datei ist größer, als der Dienst annimmt. Bringen Sie einen Teil davon.',
    tooLong: 'Diese Datei ist zu lang, um hier gelesen zu werden. Bringen Sie einen Teil davon.',
    storageFull:
      'In Ihrem Speicher ist kein Platz mehr dafür. Löschen Sie Chats, die Sie nicht mehr brauchen.',
    noPicturesHere:
      'In einen temporären Chat können keine Bilder kommen, denn sie müssten gespeichert werden.',
    notSent: 'Sie konnte nicht gesendet werden. Entfernen Sie sie und bringen Sie sie noch einmal.',
  },
  sources: 'Quellen',
  source: (number, name, page) => `Quelle ${number}: ${name}, Seite ${page}`,
  page: (page) => `Seite ${page}`,
  pageOf: (page, count) => `Seite ${page} von ${count}`,
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  original: 'Original herunterladen',
  closeDocument: 'Dokument schließen',
  noTextOnPage: 'Auf dieser Seite steht kein Text.',
  sent: {
    title: 'Was gesendet wurde',
    explained: 'Genau das bekam das Modell für diese Antwort.',
    show: 'Was an das Modell gesendet wurde',
    instructions: 'Anweisungen',
    documents: 'Dokumente',
    conversation: 'Gespräch',
    answer: 'Frei gehalten für die Antwort',
    tokens: (count) => `${count} Tokens`,
    aboutTokens: (count) => `etwa ${count} Tokens`,
    of: (used, all) => `${used} von ${all} Tokens`,
    wholePages: 'Der ganze Text dieser Seiten:',
    pictures: 'Bilder:',
    leftOut: 'Nichts ging mit von:',
    beganLater: 'Die ältesten Nachrichten passten nicht hinein und wurden weggelassen.',
    allMessages: 'Alle Nachrichten dieses Gesprächs gingen mit.',
  },
  context: {
    meter: (percent) => `Kontext: zu ${percent} % voll`,
    title: 'Was das Modell bekommen wird',
    estimated: 'Geschätzt, eher zu hoch als zu niedrig.',
    tight: 'Das Gespräch passt nicht mehr ganz hinein. Das Modell antwortet ohne die ältesten Nachrichten.',
    documentsInPart:
      'Ein Dokument passt nicht ganz hinein: Die Stellen, die zu Ihrer Frage passen, gehen mit.',
    viewBegins: 'Ab hier sieht das Modell das Gespräch',
  },
};
