import type { LoadedSettings } from '#settings';
import type { RunningService } from './find-service.ts';

/** One line of the doctor: how it is, and what to do next. */
export interface Finding {
  /** `certificate`, `engine gpu-1`. */
  readonly about: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly said: string;
  readonly advice?: string;
}

/** What every check may look at. */
export interface Patient {
  readonly loaded: LoadedSettings;
  /** Undefined when nothing of ours answers where the settings say. */
  readonly service: RunningService | undefined;
  /** Engines are asked to generate, and model files are loaded. */
  readonly generates: boolean;
  /** What others say the time is: gathered by the checks that speak with them, read by the last one. */
  readonly timesHeard: { readonly from: string; readonly skewMs: number }[];
}

export type Check = (patient: Patient) => Promise<Finding[]> | Finding[];

export function ok(about: string, said: string, advice?: string): Finding {
  return { about, state: 'ok', said, ...(advice !== undefined && { advice }) };
}

export function warning(about: string, said: string, advice: string): Finding {
  return { about, state: 'warning', said, advice };
}

export function problem(about: string, said: string, advice: string): Finding {
  return { about, state: 'problem', said, advice };
}
