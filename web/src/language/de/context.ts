import type { enContext } from '../en/context.ts';

export const deContext: typeof enContext = {
  counted: 'Gezählt vom Tokenizer des Modells selbst.',
  summarised: 'Für die ältesten Nachrichten steht eine Zusammenfassung.',
  willSummarise: 'Bevor es antwortet, fasst das Modell die ältesten Nachrichten zusammen.',
  summarising: 'Die ältesten Nachrichten werden zusammengefasst',
  choice: {
    title: 'Dieses Gespräch passt nicht mehr ganz in das Modell',
    explained:
      'Das Modell kann die ältesten Nachrichten zusammenfassen, bevor es antwortet, oder sie bleiben weg. Sie behalten in jedem Fall alle.',
    summarise: 'Zusammenfassen',
    leaveOut: 'Weglassen',
    always: 'In allen Chats so verfahren',
  },
  summary: {
    title: 'Zusammenfassung des Vorherigen',
    by: (model) => `von ${model}`,
    edited: 'von Ihnen bearbeitet',
    edit: 'Bearbeiten',
    leaveOut: 'Stattdessen weglassen',
    summarise: 'Stattdessen zusammenfassen',
    problem:
      'Die Zusammenfassung konnte nicht geschrieben werden, daher blieben die ältesten Nachrichten weg.',
    sent: 'Die ältesten Nachrichten passten nicht mehr. Für sie ging diese Zusammenfassung mit:',
  },
  settings: {
    title: 'Lange Gespräche',
    label: 'Wenn ein Gespräch nicht mehr in das Modell passt',
    ask: 'Mich fragen',
    summarise: 'Die ältesten Nachrichten zusammenfassen',
    leaveOut: 'Die ältesten Nachrichten weglassen',
  },
  byMeaning: {
    searched: 'Die Stellen wurden nach ihren Wörtern und nach ihrem Sinn gefunden.',
    failed:
      'Die Suche nach dem Sinn antwortete nicht rechtzeitig: Die Stellen wurden nur nach ihren Wörtern gefunden.',
  },
};
