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
      const own = createFollower(send, stream);
      const ofOthers = createFollower(send, stream);
      stream.onEnd(
        conversations.watch(personId, (event) => {
          if (event.type === 'answerOpened') {
            ofOthers.follow(event);
            return;
          }
          if (event.type === 'generationStarted')
            own.follow({ ownerId: personId, generationId: event.generation.id });
          // Who may still hear of it is seen when they read it again.
          if (event.type === 'spaceChanged' || event.type === 'spaceLeft') ofOthers.leave(event.projectId);
          send(viewEvent(event));
        }),
      );
      for (const generationId of new Set([...running.map(({ id }) => id), ...seen.keys()])) {
        own.follow({ ownerId: personId, generationId, after: seen.get(generationId) });
      }
    },
  };

  /** Tells a stream about answers, each from where it left off until its end. */
  function createFollower(send: (event: PersonEvent) => void, stream: EventStream) {
    const followed = new Map<string, { readonly projectId: string | undefined; stop(): void }>();
    stream.onEnd(() => leave());
    return { follow, leave };

    function follow({ ownerId, generationId, after, projectId }: Followed): void {
      if (followed.has(generationId) || !generations.knows(ownerId, generationId)) return;
      if (followed.size >= maxFollowed) return;
      followed.set(generationId, { projectId, stop: () => {} });
      const stop = generations.subscribe(ownerId, generationId, after, ({ sequence, event }) => {
        send({ type: 'answer', generationId, sequence, event });
        if (event.type === 'ended') followed.delete(generationId);
      });
      if (followed.has(generationId)) followed.set(generationId, { projectId, stop });
    }

    /** Of one project, or all. */
    function leave(projectId?: string): void {
      for (const [generationId, one] of followed) {
        if (projectId !== undefined && one.projectId !== projectId) continue;
        one.stop();
        followed.delete(generationId);
      }
    }
  }

  function viewEvent(event: Exclude<ConversationEvent, { type: 'answerOpened' }>): PersonEvent {
    return event.type === 'chatChanged'
      ? { type: event.type, chat: viewSummary(event.chat, generations) }
      : event;
  }
}

interface Followed {
  readonly ownerId: string;
  readonly generationId: string;
  readonly after?: number | undefined;
  /** In whose space it is read. */
  readonly projectId?: string;
}

function readCursors(after: string): ReadonlyMap<string, number> {
  const cursors = [...after.matchAll(/(?:^|,)([\w-]{1,64}):(\d{1,15})(?=,|$)/g)];
  return new Map(
    cursors.slice(0, maxCursors).map(([, generationId = '', sequence]) => [generationId, Number(sequence)]),
  );
}

/** More answers than one browser can follow at once. */
const maxCursors = 64;
const maxFollowed = 256;
