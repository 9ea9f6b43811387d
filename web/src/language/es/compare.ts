import type { enCompare } from '../en/compare.ts';
import { counted } from './counted.ts';

/** One question to several models. */
export const esCompare: typeof enCompare = {
  title: 'Comparar modelos',
  lead: 'Una pregunta que responden varios modelos a la vez. Cada respuesta espera su turno y cuenta como cualquier otra. Elija con cuál seguir.',
  oneModel: 'Aquí solo se ofrece un modelo: no hay nada que comparar.',
  models: (fewest, most) => `Modelos (de ${fewest} a ${most})`,
  question: 'Pregunta',
  blind: 'Ocultar los nombres hasta que vote',
  ask: (count) => counted(count, { one: 'Preguntar a un modelo', other: 'Preguntar a # modelos' }),
  answers: 'Respuestas',
  answer: (letter) => `Respuesta ${letter}`,
  blindHint:
    'Los nombres están ocultos y el orden es aleatorio. Vote por la mejor respuesta para ver quién la escribió.',
  vote: 'Esta es mejor',
  chosen: 'Su elección',
  reveal: 'Mostrar los nombres sin votar',
  stop: 'Detener todas',
  goOn: 'Seguir con esta',
  another: 'Comparar otra pregunta',
  export: 'Exportar como CSV',
  speed: (tokens, seconds) => `${tokens} tokens, ${seconds} s`,
};
