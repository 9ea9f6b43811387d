import type { enTools } from '../en/tools.ts';
import { counted } from './counted.ts';

/** Tools that servers offer, and the questions before they are called. */
export const esTools: typeof enTools = {
  choose: 'Herramientas',
  chosen: (count) =>
    counted(count, { one: 'Herramientas: 1 servidor activo', other: 'Herramientas: # servidores activos' }),
  explained:
    'El modelo puede pedir herramientas de los servidores que active. Se le pregunta antes de enviar nada.',
  count: (count) => counted(count, { one: '1 herramienta', other: '# herramientas' }),
  unreachable: 'No responde en este momento',
  call: (tool, server) => `${tool}, una herramienta de ${server}`,
  of: (server) => `de ${server}`,
  asks: (server) => `El modelo quiere llamar a esta herramienta. Esto se enviaría a ${server}:`,
  nothingSent: 'Nada más que la llamada misma.',
  allowOnce: 'Permitir una vez',
  allowInChat: 'Permitir en este chat',
  allowAlways: 'Permitir siempre',
  refuse: 'Rechazar',
  states: {
    asked: 'Esperándole',
    running: 'En marcha',
    done: 'Hecha',
    refused: 'Rechazada',
    stopped: 'Detenida',
    interrupted: 'Interrumpida',
    failed: 'Fallida',
    toolError: 'La herramienta informa de un problema',
  },
  sent: 'Enviado',
  result: 'Resultado',
  empty: 'El resultado está vacío.',
  cut: 'El resultado era más largo; el resto se cortó.',
  failures: {
    tool_timeout: 'La herramienta no respondió a tiempo.',
    tool_unreachable: 'No se pudo acceder a la herramienta, o se cortó.',
    tool_nonsense: 'La herramienta respondió algo que no se entiende.',
    tool_too_large: 'La herramienta respondió más de lo permitido.',
    tool_changed:
      'La llamada no se hizo: la herramienta ha cambiado desde que se le preguntó. Pregunte de nuevo para seguir.',
    tool_busy: 'Se hicieron demasiadas llamadas a la vez.',
    tool_arguments: 'La llamada no se hizo: el modelo escribió argumentos que no son JSON.',
  },
  failed: 'La llamada falló.',
  interrupted: 'El servicio se reinició, o nadie respondió. Pregunte de nuevo para seguir.',
  consents: {
    title: 'Herramientas',
    lead: 'Herramientas a las que se puede llamar en todos sus chats sin preguntarle. Si una cambia, se le vuelve a preguntar.',
    none: 'Se le pregunta antes de cada herramienta, salvo que la permitiera para un chat.',
    given: 'Permitida',
    withdraw: 'Volver a preguntar',
    withdrawn: 'Se le volverá a preguntar antes de llamar a esta herramienta.',
  },
};
