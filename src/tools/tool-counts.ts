import type { GaugeReading } from '#vocabulary/metrics';

/** For the metrics. Servers are those of the settings over the life of the process, endings a closed list. */
export interface ToolCounts {
  note(serverName: string, ending: string, seconds: number): void;
  begin(): Disposable;
  calls(): Iterable<GaugeReading>;
  seconds(): Iterable<GaugeReading>;
  running(): Iterable<GaugeReading>;
}

/** Operators who rename servers all day get `other`. */
const maxServers = 200;

export function createToolCounts(): ToolCounts {
  const byServer = new Map<string, { readonly endings: Map<string, number>; seconds: number }>();
  let running = 0;

  return {
    note(serverName, ending, seconds) {
      const label = byServer.has(serverName) || byServer.size < maxServers ? serverName : 'other';
      const server = byServer.get(label) ?? { endings: new Map<string, number>(), seconds: 0 };
      byServer.set(label, server);
      server.endings.set(ending, (server.endings.get(ending) ?? 0) + 1);
      server.seconds += seconds;
    },
    begin() {
      running++;
      return { [Symbol.dispose]: () => void running-- };
    },
    *calls() {
      for (const [server, { endings }] of byServer)
        for (const [ending, value] of endings) yield { of: [server, ending], value };
    },
    *seconds() {
      for (const [server, { seconds }] of byServer) yield { of: server, value: seconds };
    },
    *running() {
      yield { value: running };
    },
  };
}
