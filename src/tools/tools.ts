import type { Clock } from '#vocabulary/clock';
import type { Logger } from '#vocabulary/logger';
import { Refusal } from '#vocabulary/refusal';
import type {
  OfferedServer,
  OfferedTool,
  ToolBench,
  ToolCallAsk,
  ToolFailure,
  ToolOutcome,
  ToolServerDefinition,
  ToolSettings,
} from '#vocabulary/tools';
import { createTurns } from '#vocabulary/turns';
import { readOfferedTools } from './read-offer.ts';
import { readResult } from './read-result.ts';
import { createToolCounts, type ToolCounts } from './tool-counts.ts';
import { failureOf } from './tool-problem.ts';

/** What a server offers is believed this long; of one that does not answer, for a shorter time. */
const offerKeptMs = 60_000;
const silenceKeptMs = 10_000;
/** More tools confuse models, and engines refuse a request that is too long. */
const maxToolsPerRequest = 64;
const maxToolBytesPerRequest = 128 * 1024;
/** Calls of one person that may wait for a place. */
const maxWaitingPerPerson = 32;

/** The library of the protocol is large; a service without tool servers does without. */
const loadSession = () => import('./mcp-session.ts');

/** Asks MCP servers what they offer, calls them, and lets through only bounded text. */
export interface Tools extends ToolBench {
  readonly counts: ToolCounts;
  /** The servers and the rounds as newly written; calls that run are not disturbed. */
  apply(settings: ToolSettings): void;
}

interface KnownOffer {
  readonly definition: ToolServerDefinition;
  readonly tools: Promise<readonly OfferedTool[] | undefined>;
  untilMs: number;
}

export function createTools(parts: {
  readonly settings: ToolSettings;
  /** The ids of the projects that the person is in now. */
  readonly projectsOf: (personId: string) => readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
}): Tools {
  const { clock, logger } = parts;
  let { settings } = parts;
  /** By server, so never more than the settings name. */
  const offers = new Map<string, KnownOffer>();
  const counts = createToolCounts();
  const turns = createTurns({
    perPerson: settings.maxCallsPerPerson,
    inTotal: settings.maxCalls,
    maxWaitingPerPerson,
  });

  return {
    counts,
    get maxRounds() {
      return settings.maxRounds;
    },
    apply(next) {
      settings = next;
      for (const [name, { definition }] of offers) {
        if (!next.servers.includes(definition)) offers.delete(name);
      }
    },
    serversFor: (personId) =>
      Promise.all(
        permitted(personId).map(async (server): Promise<OfferedServer> => {
          const { name, label, description } = server;
          return { name, label, description, tools: await offerOf(server) };
        }),
      ),
    async toolsOf(personId, serverNames) {
      const wanted = permitted(personId).filter(({ name }) => serverNames.includes(name));
      const found = await Promise.all(wanted.map(offerOf));
      return asManyAsFit(found.flatMap((tools) => tools ?? []));
    },
    async call(ask) {
      const startedMs = clock.monotonicMs();
      const outcome = await call(ask);
      const ending =
        outcome.kind === 'failed' ? outcome.failure : outcome.isError ? 'tool_error' : 'answered';
      counts.note(ask.tool.serverName, ending, (clock.monotonicMs() - startedMs) / 1000);
      return outcome;
    },
  };

  function permitted(personId: string): readonly ToolServerDefinition[] {
    if (settings.servers.length === 0) return [];
    const own = new Set(parts.projectsOf(personId));
    return settings.servers.filter(
      ({ projects }) => projects.length === 0 || projects.some((project) => own.has(project)),
    );
  }

  function offerOf(server: ToolServerDefinition): Promise<readonly OfferedTool[] | undefined> {
    const known = offers.get(server.name);
    if (known?.definition === server && known.untilMs > clock.monotonicMs()) return known.tools;
    const offer: KnownOffer = { definition: server, tools: ask(server), untilMs: Infinity };
    offers.set(server.name, offer);
    void offer.tools.then((tools) => {
      offer.untilMs = clock.monotonicMs() + (tools === undefined ? silenceKeptMs : offerKeptMs);
    });
    return offer.tools;
  }

  async function ask(server: ToolServerDefinition): Promise<readonly OfferedTool[] | undefined> {
    try {
      const { listTools } = await loadSession();
      return readOfferedTools(server, await listTools(server));
    } catch (error) {
      logger.warn(
        { server: server.name, error: describe(error) },
        'a tool server does not say what it offers',
      );
      return undefined;
    }
  }

  async function call({ personId, tool, arguments: given, cancellation }: ToolCallAsk): Promise<ToolOutcome> {
    // Who may use it and what it is are judged again: both may have changed while somebody was asked.
    const server = permitted(personId).find(({ name }) => name === tool.serverName);
    if (server === undefined) return failed('unreachable');
    const now = (await offerOf(server))?.find(({ name }) => name === tool.name);
    if (now?.digest !== tool.digest) return failed(now === undefined ? 'unreachable' : 'changed');
    const stopped = new AbortController();
    const forget = cancellation.onCancel(() => stopped.abort());
    try {
      const { callTool } = await loadSession();
      using _turn = await turns.take(personId, cancellation);
      using _running = counts.begin();
      return readResult(await callTool(server, tool.name, given, stopped.signal), server.resultLimitBytes);
    } catch (error) {
      if (cancellation.isCancelled) return failed('stopped');
      if (error instanceof Refusal) return failed('busy');
      logger.warn({ server: server.name, error: describe(error) }, 'a call of a tool failed');
      return failed(failureOf(error));
    } finally {
      forget();
    }
  }
}

function failed(failure: ToolFailure): ToolOutcome {
  return { kind: 'failed', failure };
}

/** For the log: nothing of what a server wrote, which could be long or somebody's. */
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${failureOf(error)}` : 'unknown';
}

function asManyAsFit(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  let bytes = 0;
  return tools.slice(0, maxToolsPerRequest).filter(({ description, parameters }) => {
    bytes += description.length + JSON.stringify(parameters).length;
    return bytes <= maxToolBytesPerRequest;
  });
}
