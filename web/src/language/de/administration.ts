import type { AdministrationWords } from '../en/administration.ts';

export const deAdministration: AdministrationWords = {
  sections: 'Bereiche',
  groups: { service: 'Dienst', people: 'Menschen' },
  pages: {
    overview: { title: 'Übersicht', lead: 'Wie es dem Dienst jetzt geht und in letzter Zeit ging.' },
    models: { title: 'Modelle und Engines', lead: 'Was angeboten wird und wer es rechnet.' },
    status: {
      title: 'Statusseite',
      lead: 'Vorfälle in Worten, und wo alle sehen, wie es den Modellen geht.',
    },
    presets: { title: 'Vorlagen', lead: 'Was alle im Chat hinter einem Schrägstrich finden.' },
    announcements: { title: 'Ankündigungen', lead: 'Was alle wissen sollten.' },
    appearance: { title: 'Aussehen', lead: 'Ein eigener Name, eine eigene Farbe, ein eigenes Bild.' },
    settings: {
      title: 'Geltende Einstellungen',
      lead: 'Jede Einstellung mit ihrem Wert und woher er kommt. Geändert werden sie in der Einstellungsdatei.',
    },
    usage: { title: 'Nutzung', lead: 'Wer was genutzt hat. Tage sind UTC.' },
    projects: {
      title: 'Projekte',
      lead: 'Menschen, die Modelle, Grenzen und ein Budget teilen, und ihr Teil am Dienst.',
    },
    keys: { title: 'Schlüssel', lead: 'Die API-Schlüssel aller. Geheimnisse sieht niemand.' },
    audit: {
      title: 'Protokoll',
      lead: 'Wer wem was getan hat. Einträge kommen hinzu und ändern sich nie; jeder enthält den Hash des vorigen.',
    },
    people: { title: 'Benutzer', lead: 'Wer eintreten darf. Niemandes Chats sind hier zu lesen.' },
    invitations: {
      title: 'Einladungen',
      lead: 'Links, die je eine Person einlassen, auf Wunsch in Projekte.',
    },
  },
};
