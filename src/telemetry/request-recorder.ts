import type { DoorName, Ending, UsageRecord } from '#vocabulary/usage';
import { CounterFamily, HistogramFamily, type CounterCell } from './metric-cells.ts';
import { requestMetrics } from './metric-table.ts';

export interface RequestRecorder {
  record(record: UsageRecord, overheadMs: number): void;
  expose(): string;
}

/**
 * Counts finished requests. Labels are bounded: doors, endings and status classes are closed sets; models are
 * those of the settings, at most `maxModels` over the life of the process, and `other` beyond that.
 */
export function createRequestRecorder({
  isKnownModel,
  maxModels = 1000,
}: {
  isKnownModel: (model: string) => boolean;
  maxModels?: number;
}): RequestRecorder {
  const families = {
    requests: new CounterFamily(requestMetrics.requests),
    tokens: new CounterFamily(requestMetrics.tokens),
    continuations: new CounterFamily(requestMetrics.continuations),
    requestSeconds: new HistogramFamily(requestMetrics.requestSeconds),
    firstByteSeconds: new HistogramFamily(requestMetrics.firstByteSeconds),
    queueWaitSeconds: new HistogramFamily(requestMetrics.queueWaitSeconds),
    overheadSeconds: new HistogramFamily(requestMetrics.overheadSeconds),
  };
  const byModel = new Map<string, Partial<Record<DoorName, Cells>>>();

  function cellsOf(door: DoorName, model: string): Cells {
    const known = byModel.get(model)?.[door];
    if (known !== undefined) return known;
    const label = byModel.has(model) || (isKnownModel(model) && byModel.size < maxModels) ? model : 'other';
    let doors = byModel.get(label);
    if (doors === undefined) byModel.set(label, (doors = {}));
    return (doors[door] ??= {
      door,
      model: label,
      endings: {},
      inputTokens: families.tokens.cell(label, 'input'),
      outputTokens: families.tokens.cell(label, 'output'),
      cachedTokens: families.tokens.cell(label, 'cached'),
      reasoningTokens: families.tokens.cell(label, 'reasoning'),
      requestSeconds: families.requestSeconds.cell(door, label),
      firstByteSeconds: families.firstByteSeconds.cell(door, label),
      queueWaitSeconds: families.queueWaitSeconds.cell(label),
      overheadSeconds: families.overheadSeconds.cell(door),
    });
  }

  function requestCell(cells: Cells, ending: Ending, status: number): CounterCell {
    const statusClass = status >= 100 && status < 600 ? Math.floor(status / 100) : 0;
    const byStatus = (cells.endings[ending] ??= []);
    return (byStatus[statusClass] ??= families.requests.cell(
      cells.door,
      cells.model,
      ending,
      statusClass === 0 ? 'none' : `${statusClass}xx`,
    ));
  }

  return {
    record(record, overheadMs) {
      const cells = cellsOf(record.door, record.model);
      const { usage } = record;
      requestCell(cells, record.ending, record.status).value++;
      if (record.continuations) families.continuations.cell(cells.model, record.ending).value++;
      cells.inputTokens.value += usage.inputTokens;
      cells.outputTokens.value += usage.outputTokens;
      cells.cachedTokens.value += usage.cachedTokens;
      cells.reasoningTokens.value += usage.reasoningTokens;
      cells.requestSeconds.observe(record.durationMs / 1000);
      if (record.firstByteMs !== undefined) cells.firstByteSeconds.observe(record.firstByteMs / 1000);
      cells.queueWaitSeconds.observe(record.waitMs / 1000);
      cells.overheadSeconds.observe(overheadMs / 1000);
    },
    expose: () =>
      Object.values(families)
        .map((family) => family.expose())
        .join('\n'),
  };
}

interface Cells {
  readonly door: DoorName;
  readonly model: string;
  /** By ending, then by status class. */
  readonly endings: Partial<Record<Ending, CounterCell[]>>;
  readonly inputTokens: CounterCell;
  readonly outputTokens: CounterCell;
  readonly cachedTokens: CounterCell;
  readonly reasoningTokens: CounterCell;
  readonly requestSeconds: ReturnType<HistogramFamily['cell']>;
  readonly firstByteSeconds: ReturnType<HistogramFamily['cell']>;
  readonly queueWaitSeconds: ReturnType<HistogramFamily['cell']>;
  readonly overheadSeconds: ReturnType<HistogramFamily['cell']>;
}
