import type { PullProgress } from '#engine/model-files';
import { bytesInWords, durationInWords } from './in-words.ts';

export interface ProgressDisplay {
  show(progress: PullProgress): void;
  end(): void;
}

export interface ProgressSurface {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A bar that redraws itself on a terminal; a plain line now and then anywhere else. */
export function createProgressDisplay(
  name: string,
  surface: ProgressSurface,
  nowMs: () => number,
): ProgressDisplay {
  const isTerminal = surface.isTTY === true;
  let drawnMs = -Infinity;
  let startedMs: number | undefined;
  let startedBytes = 0;

  const describe = (progress: PullProgress): string => {
    if (progress.phase === 'waiting') return `${name}: trying again (${progress.detail})`;
    if (progress.phase === 'package') return `${name}: package ${progress.detail}`;
    if (progress.phase === 'checking')
      return `${name}: checking what is here already, ${bytesInWords(progress.doneBytes)}`;
    const { doneBytes, totalBytes } = progress;
    if (startedMs === undefined || doneBytes < startedBytes) {
      startedMs = nowMs();
      startedBytes = doneBytes;
    }
    const elapsedSeconds = (nowMs() - startedMs) / 1000;
    const bytesPerSecond = elapsedSeconds > 0.5 ? (doneBytes - startedBytes) / elapsedSeconds : undefined;
    return `${name}  ${fetchingInWords(doneBytes, totalBytes, bytesPerSecond, isTerminal)}`;
  };

  return {
    show(progress) {
      const isUrgent = progress.phase === 'waiting' || progress.phase === 'package';
      if (!isUrgent && nowMs() - drawnMs < (isTerminal ? 100 : 5000)) return;
      drawnMs = nowMs();
      const text = describe(progress);
      surface.write(isTerminal ? `\r${text.slice(0, (surface.columns ?? 80) - 1)}\u001b[K` : `${text}\n`);
    },
    end() {
      if (isTerminal) surface.write('\r\u001b[K');
    },
  };
}

function fetchingInWords(
  doneBytes: number,
  totalBytes: number | undefined,
  bytesPerSecond: number | undefined,
  isTerminal: boolean,
): string {
  const speed = bytesPerSecond === undefined ? '' : `  ${bytesInWords(bytesPerSecond)}/s`;
  if (totalBytes === undefined || totalBytes === 0) return `${bytesInWords(doneBytes)}${speed}`;
  const share = Math.min(doneBytes / totalBytes, 1);
  const bar = isTerminal
    ? `${'━'.repeat(Math.round(share * barWidth))}${'─'.repeat(barWidth - Math.round(share * barWidth))}  `
    : '';
  const left =
    bytesPerSecond === undefined || bytesPerSecond === 0
      ? ''
      : `  ${durationInWords((totalBytes - doneBytes) / bytesPerSecond)} left`;
  const percent = `${Math.floor(share * 100)} %`;
  return `${bar}${percent}  ${bytesInWords(doneBytes)} of ${bytesInWords(totalBytes)}${speed}${left}`;
}

const barWidth = 24;
