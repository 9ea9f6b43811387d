import type { AdministrationWords } from './en-administration.ts';

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
    announcements: { title: 'Ankündigungen', lead: 'Was alle wissen sollten.' },
    appearance: { title: 'Aussehen', lead: 'Ein eigener Name, eine eigene Farbe, ein eigenes Bild.' },
    settings: {
      title: 'Geltende Einstellungen',
      lead: 'Jede Einstellung mit ihrem Wert und woher er kommt. Geändert werden sie in der Einstellungsdatei.',
    },
    people: { title: 'Benutzer', lead: 'Wer eintreten darf. Niemandes Chats sind hier zu lesen.' },
    invitations: { title: 'Einladungen', lead: 'Links, die eine Person einlassen.' },
  },
};
