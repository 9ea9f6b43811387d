import type { ConversationEvent } from '#vocabulary/conversations';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { generationRoutes, PersonEvent } from '#contract/generations';
import { viewChat, viewSummary } from '../views.ts';

export function createGenerationHandlers({
  conversations,
}: ConsoleParts): HandlersOf<typeof generationRoutes> {
  const { generations } = conversations;

  return {
    'POST /console/generations': async ({ session, body, device }) => {
      const ask = { ...body, personId: session.person.id, address: device.address };
      const { generation, chat, messages } = await generations.start(ask);
      return { generation, chat: viewChat(chat, generations), messages };
    },

    'POST /console/generations/temporary': ({ session, body, device }) =>
      generations.startTemporary({ ...body, personId: session.person.id, address: device.address }),

    'GET /console/generations': async ({ session }) => ({
      generations: generations.listRunning(session.person.id),
    }),

    'GET /console/generations/:generationId/events': async ({
      exchange,
      session,
      parameters,
      query,
      openEvents,
    }) => {
      // A browser that reconnects by itself repeats the old query and adds the header: the later of both is true.
      const seen = [query.after, readLastEventId(exchange.headers['last-event-id'])];
      const after = seen.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a));
      const { id: personId } = session.person;
      const { generationId } = parameters;
      // Looked up before the stream opens, so that somebody else's id is answered like one that never was.
      generations.subscribe(personId, generationId, 0, () => {})();
      const stream = openEvents();
      const stop = generations.subscribe(personId, generationId, after, ({ sequence, event }) => {
        stream.send(event.type, event, sequence);
        if (event.type === 'ended') stream.end();
      });
      stream.onEnd(stop);
    },

    'POST /console/generations/:generationId/stop': async ({ session, parameters }) => {
      await generations.stop(session.person.id, parameters.generationId);
      return { done: true };
    },

    'GET /console/events': async ({ session, openEvents }) => {
      const stream = openEvents();
      const send = (event: PersonEvent) => stream.send(event.type, event);
      send({ type: 'hello' });
      stream.onEnd(conversations.watch(session.person.id, (event) => send(viewEvent(event))));
    },
  };

  function viewEvent(event: ConversationEvent): PersonEvent {
    return event.type === 'chatChanged'
      ? { type: event.type, chat: viewSummary(event.chat, generations) }
      : event;
  }
}

function readLastEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
