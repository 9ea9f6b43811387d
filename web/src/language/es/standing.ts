import type { enStanding } from '../en/standing.ts';

/** What people may still use: the usage page, the line above the composer, and keys. */
export const esStanding: typeof enStanding = {
  title: 'Sus límites',
  lead: 'Lo que queda, cuándo se renueva y quién puede subirlo. Los presupuestos cuentan unidades: tokens ponderados por su coste, los escritos más que los leídos, los modelos grandes más que los pequeños.',
  none: 'Aquí nada le limita.',
  noneOf: 'Nada le limita en este proyecto.',
  account: 'Su cuenta',
  accountLead: 'Todo lo que hace, en todos los proyectos juntos.',
  keys: 'Sus claves',
  everyone: 'Todos',
  everyoneLead: 'El chat web, y las claves que no son de otro proyecto.',
  youLead: 'usted es responsable',
  ends: 'termina',
  manage: 'Gestionar',
  limits: {
    requestsPerMinute: 'Solicitudes por minuto',
    tokensPerMinute: 'Tokens por minuto',
    requestsAtOnce: 'Solicitudes simultáneas',
    costPerDay: 'Presupuesto por día',
    costPerMonth: 'Presupuesto por mes',
    costInTotal: 'Presupuesto total',
  },
  ofAll: 'de todo el proyecto',
  ofYou: 'para usted',
  ofKey: (name) => `de la clave «${name}»`,
  forModel: (model) => `para ${model}`,
  units: (amount) => `${amount} unidades`,
  left: (left, amount) => `quedan ${left} de ${amount}`,
  renews: 'se renueva',
  renewsNever: 'no se renueva',
  raisedBy: (leads) =>
    leads.length === 0
      ? 'Un administrador puede subirlo'
      : `${leads.join(', ')} o un administrador pueden subirlo`,
  warning: {
    nearly: (percent, limit) => `Se ha usado el ${percent} % de su ${limit}.`,
    over: (limit) => `Su ${limit} está agotado.`,
    nearlyOfProject: (percent, limit, project) => `Se ha usado el ${percent} % del ${limit} de ${project}.`,
    overOfProject: (limit, project) => `El ${limit} de ${project} está agotado.`,
    budgets: {
      costPerDay: 'presupuesto de hoy',
      costPerMonth: 'presupuesto de este mes',
      costInTotal: 'presupuesto',
    },
    see: 'Ver sus límites',
    dismiss: 'No volver a mostrar',
  },
  storage: {
    title: 'Espacio',
    lead: 'Lo que ocupan aquí sus chats y documentos. Lo que elimina cuenta hasta que desaparece del todo, al cabo de un día.',
    used: (used, limit) => `${used} de ${limit} ocupados`,
    full: 'Está todo ocupado: no se puede guardar nada nuevo hasta que elimine chats o documentos.',
    nearlyFull: 'Está casi lleno. Elimine lo que ya no necesite.',
  },
};
