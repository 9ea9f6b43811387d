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
    announcements: { title: 'Announcements', lead: 'What everybody should know.' },
    appearance: { title: 'Appearance', lead: 'A name, a colour and a picture of your own.' },
    settings: {
      title: 'Settings in effect',
      lead: 'Every setting with its value and where that came from. They are changed in the settings file.',
    },
    people: { title: 'People', lead: 'Who may enter. Nobody’s chats can be read here.' },
    invitations: { title: 'Invitations', lead: 'Links that let one person in.' },
  },
};

export type AdministrationWords = typeof enAdministration;
