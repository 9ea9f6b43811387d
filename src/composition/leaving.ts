/** How the service comes to its sockets and leaves them: to nobody, or to the next process. */
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admission } from '#admission';
import type { ContinuitySide } from './continuity.ts';
import type { HttpServer } from '#http';
import type { Routing } from '#routing';
import type { Settings } from '#settings';
import { systemTimers } from '#vocabulary/clock';
import { type Heritage, listenerFor } from '../handover.ts';

interface LeavingParts {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly routing: Pick<Routing, 'leave'>;
  readonly continuity: Pick<ContinuitySide, 'leave'>;
  readonly http: HttpServer;
  readonly metricsHttp: HttpServer | undefined;
  readonly heritage: Heritage | undefined;
}

/** What those get to hear whose answers are ended takes a moment to reach them. */
const lastWordsMs = 2000;

export function composeLeaving(parts: LeavingParts): {
  listen(): Promise<{ readonly url: string; readonly metricsUrl: string }>;
  listeners(): readonly Server[];
  handOver(): Promise<void>;
  drain(): Promise<void>;
} {
  const { settings, admission, routing, continuity, http, metricsHttp, heritage } = parts;
  return {
    async listen() {
      const opened = (await heritage?.takeListeners()) ?? [];
      const { url } = await http.listen(listenerFor(opened, settings.listen));
      const { metricsListen, sharedListen } = settings;
      if (sharedListen) await http.listenTogether(sharedListen, listenerFor(opened.slice(1), sharedListen));
      const metricsListener = metricsListen && listenerFor(opened.slice(1), metricsListen);
      return { url, metricsUrl: `${(await metricsHttp?.listen(metricsListener))?.url ?? url}/metrics` };
    },
    listeners() {
      const [main, ...shared] = http.listeners();
      return [main, ...(metricsHttp?.listeners() ?? []), ...shared];
    },
    async handOver() {
      routing.leave();
      continuity.leave();
      for (const listening of [http, metricsHttp]) listening?.stopListening();
      http.beginDrain();
      // Pages that watch an answer of this process stay until it is written; then they come back to the new one.
      using _pages = systemTimers.every(500, () => {
        if (admission.presentAt('chat') === 0) http.endWatchers();
      });
      await Promise.race([
        admission.emptied().then(() => http.settled()),
        sleep(settings.restartDrainMs, undefined, { ref: false }),
      ]);
    },
    async drain() {
      routing.leave();
      continuity.leave();
      if (settings.whenStopping === 'close')
        for (const listening of [http, metricsHttp]) listening?.stopListening();
      else admission.close();
      http.beginDrain();
      const limit = setTimeout(() => admission.evict(), settings.drainMs);
      const noLongerThan = sleep(settings.drainMs + lastWordsMs, undefined, { ref: false });
      await Promise.race([admission.emptied().then(() => http.settled()), noLongerThan]);
      clearTimeout(limit);
    },
  };
}

/** What the database gets to hear at the end. */
const farewellMs = 2500;
/** Answers that are ended by the stop are stored with what was written of them; a busy database gets longer for that. */
export const lastTextsMs = 5000;

/** All at once and no longer than a moment: a database that does not answer would cost each of them its whole patience. */
export async function farewell(goodbyes: readonly Promise<unknown>[], ms = farewellMs): Promise<void> {
  await Promise.race([Promise.all(goodbyes), sleep(ms, undefined, { ref: false })]);
}
