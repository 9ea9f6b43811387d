import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const itAdministration: typeof enAdministration = {
  sections: 'Sezioni',
  groups: { service: 'Servizio', people: 'Persone' },
  pages: {
    overview: { title: 'Panoramica', lead: 'Come sta il servizio adesso, e come è andato di recente.' },
    models: { title: 'Modelli e motori', lead: 'Che cosa viene offerto, e da chi.' },
    status: {
      title: 'Pagina di stato',
      lead: 'I guasti a parole, e dove tutti vedono come stanno i modelli.',
    },
    presets: { title: 'Preset', lead: 'Modi di chiedere che tutti trovano dietro una barra nella chat.' },
    announcements: { title: 'Avvisi', lead: 'Ciò che tutti dovrebbero sapere.' },
    appearance: { title: 'Aspetto', lead: 'Un nome, un colore e un’immagine propri.' },
    settings: {
      title: 'Impostazioni in vigore',
      lead: 'Ogni impostazione con il suo valore e la sua provenienza. Si modificano nel file delle impostazioni.',
    },
    usage: { title: 'Consumo', lead: 'Chi ha usato che cosa. I giorni sono in UTC.' },
    projects: {
      title: 'Progetti',
      lead: 'Persone che condividono modelli, limiti e un budget, e la loro parte del servizio.',
    },
    keys: { title: 'Chiavi', lead: 'Le chiavi API di tutti. I segreti non vengono mostrati a nessuno.' },
    audit: {
      title: 'Registro',
      lead: 'Chi ha fatto che cosa a chi. Le voci si aggiungono e non cambiano mai; ognuna contiene l’hash della precedente.',
    },
    people: { title: 'Persone', lead: 'Chi può entrare. Qui non si possono leggere le chat di nessuno.' },
    invitations: {
      title: 'Inviti',
      lead: 'Link che fanno entrare una persona ciascuno, se vuole anche in progetti.',
    },
  },
};
