import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const ukAdministration: typeof enAdministration = {
  sections: 'Розділи',
  groups: { service: 'Сервіс', people: 'Люди' },
  pages: {
    overview: { title: 'Огляд', lead: 'Як сервіс працює зараз і як працював останнім часом.' },
    models: { title: 'Моделі та рушії', lead: 'Що обслуговується і ким.' },
    status: {
      title: 'Сторінка стану',
      lead: 'Інциденти словами, і де всі бачать, як працюють моделі.',
    },
    presets: {
      title: 'Заготовки',
      lead: 'Способи запитувати, які кожен знаходить у чаті за скісною рискою.',
    },
    announcements: { title: 'Оголошення', lead: 'Що мають знати всі.' },
    appearance: { title: 'Вигляд', lead: 'Власні назва, колір і зображення.' },
    settings: {
      title: 'Чинні налаштування',
      lead: 'Кожне налаштування зі значенням і його походженням. Змінюють їх у файлі налаштувань.',
    },
    usage: { title: 'Використання', lead: 'Хто що використав. Дні за UTC.' },
    projects: {
      title: 'Проєкти',
      lead: 'Люди зі спільними моделями, лімітами й бюджетом та їхня частка сервісу.',
    },
    keys: { title: 'Ключі', lead: 'Ключі API всіх людей. Секретів не показують нікому.' },
    audit: {
      title: 'Аудит',
      lead: 'Хто що зробив і кого це стосується. Записи додаються і ніколи не змінюються; кожен містить хеш попереднього.',
    },
    people: { title: 'Люди', lead: 'Хто може увійти. Нічиїх чатів тут прочитати не можна.' },
    invitations: {
      title: 'Запрошення',
      lead: 'Посилання, кожне з яких впускає одну людину, за бажання одразу в проєкти.',
    },
  },
};
