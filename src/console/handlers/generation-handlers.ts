import type { ConversationEvent } from '#vocabulary/conversations';
import type { HandlersOf } from '../call.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { generationRoutes, PersonEvent } from '#contract/generations';
import type { EventStream } from '../event-stream.ts';
import { viewChat, viewSummary } from '../views.ts';

export function createGenerationHandlers({
  conversations,
}: ConsoleParts): HandlersOf<typeof generationRoutes> {
  const { generations } = conversations;

  return {
    'POST /console/context': ({ session, body }) =>
      generations.preview({ ...body, personId: session.person.id }),

    'POST /console/generations': async ({ session, body, device }) => {
      const ask = { ...body, personId: session.person.id, address: device.address };
      const { generation, chat, messages } = await generations.start(ask);
      return { generation, chat: viewChat(chat, generations), messages };
    },

    'POST /console/generations/continue': async ({ session, body, device }) => {
      const ask = { ...body, personId: session.person.id, address: device.address };
      const { generation, chat, messages } = await generations.continue(ask);
      return { generation, chat: viewChat(chat, generations), messages };
    },

    'POST /console/generations/temporary': ({ session, body, device }) =>
      generations.startTemporary({ ...body, personId: session.person.id, address: device.address }),

    'GET /console/generations': async ({ session }) => ({
      generations: generations.listRunning(session.person.id),
    }),

    'POST /console/generations/:generationId/stop': async ({ session, parameters }) => {
      await generations.stop(session.person.id, parameters.generationId);
      return { done: true };
    },

    'GET /console/events': async ({ session, query, openEvents }) => {
      const { id: personId } = session.person;
      const seen = readCursors(query.after ?? '');
      const stream = openEvents();
      const send = (event: PersonEvent) => stream.send(event.type, event);
      const running = generations.listRunning(personId);
      send({ type: 'hello', generations: running });
      const follow = createFollower(personId, send, stream);
      stream.onEnd(
        conversations.watch(personId, (event) => {
          if (event.type === 'generationStarted') follow(event.generation.id, undefined);
          send(viewEvent(event));
        }),
      );
      for (const generationId of new Set([...running.map(({ id }) => id), ...seen.keys()])) {
        follow(generationId, seen.get(generationId));
      }
    },
  };

  /** Tells a stream about answers, each from where it left off until its end. */
  function createFollower(personId: string, send: (event: PersonEvent) => void, stream: EventStream) {
    const followed = new Map<string, () => void>();
    stream.onEnd(() => followed.forEach((stop) => stop()));
    return (generationId: string, after: number | undefined) => {
      if (followed.has(generationId) || !generations.knows(personId, generationId)) return;
      followed.set(generationId, () => {});
      const stop = generations.subscribe(personId, generationId, after, ({ sequence, event }) => {
        send({ type: 'answer', generationId, sequence, event });
        if (event.type === 'ended') followed.delete(generationId);
      });
      if (followed.has(generationId)) followed.set(generationId, stop);
    };
  }

  function viewEvent(event: ConversationEvent): PersonEvent {
    return event.type === 'chatChanged'
      ? { type: event.type, chat: viewSummary(event.chat, generations) }
      : event;
  }
}

function readCursors(after: string): ReadonlyMap<string, number> {
  const cursors = [...after.matchAll(/(?:^|,)([\w-]{1,64}):(\d{1,15})(?=,|$)/g)];
  return new Map(
    cursors.slice(0, maxCursors).map(([, generationId = '', sequence]) => [generationId, Number(sequence)]),
  );
}

/** More answers than one browser can follow at once. */
const maxCursors = 64;
