/** The frame of the administration: the words of every page's title, and of the navigation. */
export const enAdministration = {
  sections: 'Sections',
  groups: { service: 'Service', people: 'People' },
  pages: {
    overview: { title: 'Overview', lead: 'How the service is doing now, and how it did lately.' },
    models: { title: 'Models and engines', lead: 'What is served, and by whom.' },
    status: {
      title: 'Status page',
      lead: 'Incidents in words, and where everybody sees how the models are doing.',
    },
    presets: { title: 'Presets', lead: 'Ways of asking that everybody finds behind a slash in the chat.' },
    announcements: { title: 'Announcements', lead: 'What everybody should know.' },
    appearance: { title: 'Appearance', lead: 'A name, a colour and a picture of your own.' },
    settings: {
      title: 'Settings in effect',
      lead: 'Every setting with its value and where that came from. They are changed in the settings file.',
    },
    usage: { title: 'Usage', lead: 'Who used what. Days are UTC.' },
    projects: {
      title: 'Projects',
      lead: 'People who share models, limits and a budget, and their part of the service.',
    },
    keys: { title: 'Keys', lead: 'Everybody’s API keys. Secrets are shown to nobody.' },
    audit: {
      title: 'Audit',
      lead: 'Who did what to whom. Entries are added and never changed; each holds the hash of the one before.',
    },
    people: { title: 'People', lead: 'Who may enter. Nobody’s chats can be read here.' },
    invitations: {
      title: 'Invitations',
      lead: 'Links that let one person in, each, into projects if you like.',
    },
  },
};

export type AdministrationWords = typeof enAdministration;
