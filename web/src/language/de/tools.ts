import type { enTools } from '../en/tools.ts';
import { counted } from './counted.ts';

export const deTools: typeof enTools = {
  choose: 'Werkzeuge',
  chosen: (count) => counted(count, { one: 'Werkzeuge: 1 Server an', other: 'Werkzeuge: # Server an' }),
  explained:
    'Das Modell kann Werkzeuge der Server verlangen, die Sie einschalten. Sie werden gefragt, bevor etwas gesendet wird.',
  count: (count) => counted(count, { one: '1 Werkzeug', other: '# Werkzeuge' }),
  unreachable: 'Antwortet gerade nicht',
  call: (tool, server) => `${tool}, ein Werkzeug von ${server}`,
  of: (server) => `von ${server}`,
  asks: (server) => `Das Modell möchte dieses Werkzeug aufrufen. Dies würde an ${server} gesendet:`,
  nothingSent: 'Nichts als der Aufruf selbst.',
  allowOnce: 'Einmal erlauben',
  allowInChat: 'In diesem Chat erlauben',
  allowAlways: 'Immer erlauben',
  refuse: 'Ablehnen',
  states: {
    asked: 'Wartet auf Sie',
    running: 'Läuft',
    done: 'Fertig',
    refused: 'Abgelehnt',
    stopped: 'Angehalten',
    interrupted: 'Unterbrochen',
    failed: 'Fehlgeschlagen',
    toolError: 'Das Werkzeug meldet ein Problem',
  },
  sent: 'Gesendet',
  result: 'Ergebnis',
  empty: 'Das Ergebnis ist leer.',
  cut: 'Das Ergebnis war länger; der Rest wurde abgeschnitten.',
  failures: {
    tool_timeout: 'Das Werkzeug hat nicht rechtzeitig geantwortet.',
    tool_unreachable: 'Das Werkzeug war nicht erreichbar oder brach ab.',
    tool_nonsense: 'Das Werkzeug hat etwas Unverständliches geantwortet.',
    tool_too_large: 'Das Werkzeug hat mehr geantwortet, als erlaubt ist.',
    tool_changed:
      'Der Aufruf unterblieb: Das Werkzeug hat sich geändert, seit Sie gefragt wurden. Fragen Sie erneut.',
    tool_busy: 'Es wurden zu viele Aufrufe auf einmal gemacht.',
    tool_arguments: 'Der Aufruf unterblieb: Das Modell hat Argumente geschrieben, die kein JSON sind.',
  },
  failed: 'Der Aufruf ist fehlgeschlagen.',
  interrupted: 'Der Dienst wurde neu gestartet, oder niemand hat geantwortet. Fragen Sie erneut.',
  consents: {
    title: 'Werkzeuge',
    lead: 'Werkzeuge, die in allen Ihren Chats ohne Rückfrage aufgerufen werden. Ändert sich ein Werkzeug, werden Sie wieder gefragt.',
    none: 'Sie werden vor jedem Werkzeug gefragt, wenn Sie es nicht für einen Chat erlaubt haben.',
    given: 'Erlaubt',
    withdraw: 'Wieder fragen',
    withdrawn: 'Sie werden wieder gefragt, bevor dieses Werkzeug aufgerufen wird.',
  },
};
