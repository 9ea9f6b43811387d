import type { GaugeName } from '#vocabulary/metrics';

/** Every metric of our own. The registry and docs/metrics.md are made from this table. */
export interface MetricDefinition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
  readonly buckets?: readonly number[];
}

const requestBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const waitBuckets = [0.001, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const firstByteBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const overheadBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

/** Written for every request, so kept in cells of our own (metric-cells.ts). */
export const requestMetrics = {
  requests: {
    name: 'gatehouse_requests_total',
    type: 'counter',
    labels: ['door', 'model', 'ending', 'status'],
    help: 'Requests that were accounted for, by how they ended and the class of their status.',
  },
  tokens: {
    name: 'gatehouse_tokens_total',
    type: 'counter',
    labels: ['model', 'kind'],
    help: 'Tokens by kind: input, output, cached (part of input) and reasoning (part of output).',
  },
  continuations: {
    name: 'gatehouse_continuations_total',
    type: 'counter',
    labels: ['model', 'ending'],
    help: 'Answers with which another engine went on after one had died, by how they ended.',
  },
  requestSeconds: {
    name: 'gatehouse_request_seconds',
    type: 'histogram',
    labels: ['door', 'model'],
    help: 'Time from the arrival of a request to the end of its answer.',
    buckets: requestBuckets,
  },
  firstByteSeconds: {
    name: 'gatehouse_first_byte_seconds',
    type: 'histogram',
    labels: ['door', 'model'],
    help: 'Time from giving a request to its engine to the first byte back.',
    buckets: firstByteBuckets,
  },
  queueWaitSeconds: {
    name: 'gatehouse_queue_wait_seconds',
    type: 'histogram',
    labels: ['model'],
    help: 'Time a request waited for a place at an engine.',
    buckets: waitBuckets,
  },
  overheadSeconds: {
    name: 'gatehouse_overhead_seconds',
    type: 'histogram',
    labels: ['door'],
    help: 'Time the gateway itself added to a request: neither waiting nor the engine.',
    buckets: overheadBuckets,
  },
} as const satisfies Record<string, MetricDefinition>;

/** Counted by the library, call by call. */
export const rareCounters = {
  refusals: {
    name: 'gatehouse_refusals_total',
    type: 'counter',
    labels: ['door', 'code'],
    help: 'Requests turned away before they were anybody\'s, by the code of the error; door is "none" outside the doors.',
  },
} as const satisfies Record<string, MetricDefinition>;

/** Read from the rooms at every scrape. */
export const gauges: Readonly<Record<GaugeName, MetricDefinition>> = {
  requestsInFlight: {
    name: 'gatehouse_requests_in_flight',
    type: 'gauge',
    labels: ['model'],
    help: 'Requests that are being answered now.',
  },
  requestsWaiting: {
    name: 'gatehouse_requests_waiting',
    type: 'gauge',
    labels: ['model'],
    help: 'Requests that wait for a place at an engine now.',
  },
  requestsWaitingByProject: {
    name: 'gatehouse_requests_waiting_by_project',
    type: 'gauge',
    labels: ['project'],
    help: 'Requests that wait for a place at an engine now, by the project that they are made in. Only those that have any.',
  },
  engineHealthy: {
    name: 'gatehouse_engine_healthy',
    type: 'gauge',
    labels: ['engine'],
    help: '1 when the engine takes requests, 0 when it is ejected or not ready.',
  },
  engineOutstanding: {
    name: 'gatehouse_engine_outstanding',
    type: 'gauge',
    labels: ['engine'],
    help: 'Requests that the engine is working on for us now.',
  },
  engineEjections: {
    name: 'gatehouse_engine_ejections_total',
    type: 'counter',
    labels: ['engine'],
    help: 'Times an engine was taken out of service for failing.',
  },
  engineCacheUse: {
    name: 'gatehouse_engine_cache_usage_ratio',
    type: 'gauge',
    labels: ['engine'],
    help: 'The part of its memory for prompts and answers (KV cache) that the engine says is taken, 0 to 1; of several ranks the fullest. Only engines that tell.',
  },
  engineTokens: {
    name: 'gatehouse_engine_tokens_last_day',
    type: 'gauge',
    labels: ['engine', 'kind', 'by'],
    help: 'Tokens of the last 24 hours by kind, input or output: counted by the gateway and by the engine itself. Only engines that count; input without cached tokens where the engine leaves them out.',
  },
  engineTokenDrift: {
    name: 'gatehouse_engine_token_drift_ratio',
    type: 'gauge',
    labels: ['engine', 'kind'],
    help: "How far the engine's counters are from the gateway's over the last 24 hours, as a part of the larger: above 0 the engine also worked for others, below 0 it does not know of work we counted.",
  },
  connectionsOpen: {
    name: 'gatehouse_connections_open',
    type: 'gauge',
    labels: [],
    help: 'Open connections of callers.',
  },
  journalWritable: {
    name: 'gatehouse_journal_writable',
    type: 'gauge',
    labels: [],
    help: '1 when usage can be written to the journal, 0 when the disk refuses, does not answer or was taken away.',
  },
  databaseReachable: {
    name: 'gatehouse_database_reachable',
    type: 'gauge',
    labels: [],
    help: '1 when the database answers, 0 when it does not or its file was taken away. Inference goes on without it.',
  },
  connectionsRefused: {
    name: 'gatehouse_connections_refused_total',
    type: 'counter',
    labels: [],
    help: 'Connections closed at once because their address had as many as it may.',
  },
  bufferedBytes: {
    name: 'gatehouse_buffered_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bytes of requests and unread answers in memory, of at most limits.totalBuffered.',
  },
  keptStreams: {
    name: 'gatehouse_kept_streams',
    type: 'gauge',
    labels: [],
    help: 'Answers that are kept for readers who asked for it with Gatehouse-Resume.',
  },
  keptStreamBytes: {
    name: 'gatehouse_kept_stream_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bytes of answers that are kept, of at most limits.resume.totalBytes.',
  },
  streamsResumed: {
    name: 'gatehouse_streams_resumed_total',
    type: 'counter',
    labels: [],
    help: 'Times somebody came back for the rest of an answer.',
  },
  streamsAbandoned: {
    name: 'gatehouse_streams_abandoned_total',
    type: 'counter',
    labels: [],
    help: 'Answers given up because their reader did not come back in time.',
  },
  streamsWitnessed: {
    name: 'gatehouse_streams_witnessed',
    type: 'gauge',
    labels: [],
    help: 'Answers of other gateways with which this one would go on if they died.',
  },
  streamsSpared: {
    name: 'gatehouse_streams_spared',
    type: 'gauge',
    labels: [],
    help: 'Answers of other gateways with which this one would go on if they and their heirs died together.',
  },
  streamsInherited: {
    name: 'gatehouse_streams_inherited_total',
    type: 'counter',
    labels: [],
    help: 'Answers of other gateways that this one has taken over because they died.',
  },
  journalLagRecords: {
    name: 'gatehouse_journal_lag_records',
    type: 'gauge',
    labels: [],
    help: 'Entries of usage that are not in the journal yet.',
  },
  journalUnappliedBytes: {
    name: 'gatehouse_journal_unapplied_bytes',
    type: 'gauge',
    labels: [],
    help: 'Bytes of the usage journal that are not in the database yet.',
  },
  journalLostEntries: {
    name: 'gatehouse_journal_lost_entries_total',
    type: 'counter',
    labels: [],
    help: 'Entries of the usage journal given up because the disk could not be written for too long.',
  },
  toolCalls: {
    name: 'gatehouse_tool_calls_total',
    type: 'counter',
    labels: ['server', 'ending'],
    help: 'Calls of tools in chats, by how they ended: answered, tool_error, timeout, unreachable, nonsense, too_large, changed, busy or stopped.',
  },
  toolCallSeconds: {
    name: 'gatehouse_tool_call_seconds_total',
    type: 'counter',
    labels: ['server'],
    help: 'Time that calls of tools took, waiting for a place among them.',
  },
  toolCallsRunning: {
    name: 'gatehouse_tool_calls_running',
    type: 'gauge',
    labels: [],
    help: 'Calls of tools that run at servers now.',
  },
};

export const buildInfo: MetricDefinition = {
  name: 'gatehouse_build_info',
  type: 'gauge',
  labels: ['version', 'node'],
  help: 'Always 1; the labels say what runs.',
};

export const allMetrics: readonly MetricDefinition[] = [
  ...Object.values(requestMetrics),
  ...Object.values(rareCounters),
  ...Object.values(gauges),
  buildInfo,
];
