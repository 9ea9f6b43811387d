import type { enAdministration } from '../en/administration.ts';

/** The frame of the administration: the words of every page's title, and of the navigation. */
export const esAdministration: typeof enAdministration = {
  sections: 'Secciones',
  groups: { service: 'Servicio', people: 'Personas' },
  pages: {
    overview: { title: 'Resumen', lead: 'Cómo va el servicio ahora y cómo ha ido últimamente.' },
    models: { title: 'Modelos y motores', lead: 'Qué se ofrece y quién lo sirve.' },
    status: {
      title: 'Página de estado',
      lead: 'Los incidentes explicados, y dónde todos ven cómo están los modelos.',
    },
    presets: {
      title: 'Preajustes',
      lead: 'Formas de preguntar que todos encuentran tras una barra en el chat.',
    },
    announcements: { title: 'Avisos', lead: 'Lo que todos deberían saber.' },
    appearance: { title: 'Aspecto', lead: 'Un nombre, un color y una imagen propios.' },
    settings: {
      title: 'Ajustes en vigor',
      lead: 'Cada ajuste con su valor y su procedencia. Se cambian en el archivo de configuración.',
    },
    usage: { title: 'Consumo', lead: 'Quién consumió qué. Los días son UTC.' },
    projects: {
      title: 'Proyectos',
      lead: 'Personas que comparten modelos, límites y presupuesto, y su parte del servicio.',
    },
    keys: { title: 'Claves', lead: 'Las claves API de todos. Los secretos no se muestran a nadie.' },
    audit: {
      title: 'Auditoría',
      lead: 'Quién hizo qué a quién. Las entradas se añaden y nunca se cambian; cada una lleva la huella de la anterior.',
    },
    people: { title: 'Personas', lead: 'Quién puede entrar. Aquí no se pueden leer los chats de nadie.' },
    invitations: {
      title: 'Invitaciones',
      lead: 'Enlaces que dejan entrar a una persona cada uno, y a proyectos si se quiere.',
    },
  },
};
